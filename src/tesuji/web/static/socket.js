// The one connection to the server: questions with answers, and what the server says unasked.
// It comes back by itself when it is lost; `onOpen` then joins the game again.

const LONGEST_WAIT = 4000;

let socket = null;
let number = 0;
let wait = 200;
let lost = false;
let questions = new Map();
const unsent = [];
export class Lost extends Error {}
export const heard = { onPush: () => {}, onOpen: () => {} };

export function connect() {
  socket = new WebSocket(`ws://${location.host}/ws`);
  socket.onopen = () => {
    wait = 200;
    document.getElementById("offline").hidden = true;
    if (lost) heard.onOpen();
    lost = false;
    for (const text of unsent.splice(0)) socket.send(text);
  };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.push) return heard.onPush(message);
    const question = questions.get(message.id);
    questions.delete(message.id);
    if (!question) return;
    if (message.error) question.reject(new Error(message.error));
    else question.resolve(message.ok);
  };
  socket.onclose = () => {
    lost = true;
    for (const question of questions.values()) question.reject(new Lost("The connection was lost."));
    questions = new Map();
    unsent.length = 0;
    document.getElementById("offline").hidden = false;
    setTimeout(connect, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  };
}

export function ask(command, fields = {}) {
  number += 1;
  const text = JSON.stringify({ id: number, do: command, ...fields });
  const answer = new Promise((resolve, reject) => questions.set(number, { resolve, reject }));
  if (socket.readyState === WebSocket.OPEN) socket.send(text);
  else unsent.push(text);
  return answer;
}
