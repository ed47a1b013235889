// The rooms of the lab and the way between them. A room is a function that fills the page, and
// returns how to leave it and what to do with what the server says.

import { h } from "./dom.js";
import { connect, heard } from "./socket.js";
import { play } from "./play.js";
import { setup } from "./setup.js";

const ROOMS = [
  { name: "Play", path: "#/", opens: /^#\/(new\?.*)?$/, enter: setup },
  { path: "#/game/", opens: /^#\/game\/([\w.~-]+)$/, enter: play },
];
const THEMES = { "": ["Auto", "follows the system"], light: ["Light", "light"], dark: ["Dark", "dark"] };

let room = { leave: () => {}, push: () => {}, open: () => {} };

function enter() {
  const address = location.hash || "#/";
  const found = ROOMS.find(({ opens }) => opens.test(address)) ?? ROOMS[0];
  room.leave?.();
  document.title = "tesuji lab";
  const main = document.getElementById("room");
  main.replaceChildren();
  room = found.enter(main, address.match(found.opens)?.[1] ?? "") ?? {};
  for (const link of document.querySelectorAll("#rooms a")) {
    link.toggleAttribute("aria-current", link.getAttribute("href") === found.path);
  }
  window.scrollTo(0, 0);
}

function theme(next) {
  const names = Object.keys(THEMES);
  let chosen = localStorage.getItem("theme") ?? "";
  if (!names.includes(chosen)) chosen = "";
  if (next) chosen = names[(names.indexOf(chosen) + 1) % names.length];
  localStorage.setItem("theme", chosen);
  document.documentElement.dataset.theme = chosen;
  const button = document.getElementById("theme");
  button.textContent = `◐ ${THEMES[chosen][0]}`;
  button.setAttribute("aria-label", `Colours: ${THEMES[chosen][1]}. Change.`);
}

document.getElementById("rooms").append(
  ...ROOMS.filter(({ name }) => name).map(({ name, path }) => h("a", { href: path }, name)),
);
document.getElementById("theme").addEventListener("click", () => theme(true));
theme(false);
heard.onPush = (message) => room.push?.(message);
heard.onOpen = () => room.open?.();
window.addEventListener("hashchange", enter);
connect();
enter();
