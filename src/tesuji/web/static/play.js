// The room where a game is played or watched. What is shown is what the server last said.

import { Board } from "./board.js";
import { capital, clock, h, percent, say, short, svg } from "./dom.js";
import { graph } from "./graph.js";
import { piece } from "./pieces.js";
import { gameTitle } from "./setup.js";
import { ask, Lost } from "./socket.js";

const HUMAN = "human";
const KEYS = [
  ["Arrows, Enter, Esc", "move on the board, choose, take the choice back"],
  ["P", "pass, or end the turn"], ["1 – 9", "the buttons under the board"],
  ["U", "undo"], ["H", "hint"], ["S", "show or hide the search"], ["F", "turn the board"],
  ["Space", "pause or go on (computer against computer)"], [".", "one step"],
  ["N", "play again"], ["X", "resign (twice)"], ["?", "this list"],
];

export function play(main, address) {
  const seats = address.split("~");
  let seat = seats[0];
  let table = null;
  let search = null;
  let since = 0;
  let turned = null;
  let curtain = seats.length > 1;
  let shown = localStorage.getItem("search") !== "hidden";
  let resigning = null;

  const board = new Board((move, ply) => run(ask("move", { move, ply })));
  const title = h("h1", {});
  const sides = [0, 1].map((side) => h("div", { class: `player side-${side}` }));
  const status = h("p", { class: "status", role: "status" });
  const trouble = h("p", { class: "trouble", role: "alert" });
  const facts = h("p", { class: "facts" });
  const trays = h("div", { class: "trays" });
  const roster = h("div", {});
  const veil = h("div", { class: "veil", hidden: true });
  const history = h("ol", { class: "history", tabindex: 0, "aria-label": "Moves" });
  const thoughts = h("div", { class: "thoughts" });
  const rates = h("div", {});
  const shownBox = h("input", { type: "checkbox", checked: shown, onchange: () => toggleSearch(shownBox.checked) });
  const help = h("dialog", { class: "keys", "aria-label": "Keys" }, h("h2", {}, "Keys"),
    h("dl", {}, KEYS.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    h("form", { method: "dialog" }, h("button", { class: "main" }, "Close")));

  const button = (text, key, action, extra = {}) =>
    h("button", { type: "button", title: `Key ${key}`, onclick: action, ...extra }, text);
  const buttons = {
    pause: button("Pause", "Space", () => run(ask("pause", { on: !table.paused }))),
    step: button("Step", ".", () => run(ask("step"))),
    undo: button("Undo", "U", () => run(ask("undo"))),
    hint: button("Hint", "H", () => run(ask("hint"))),
    turn: button("Turn", "F", () => turnBoard()),
    again: button("Play again", "N", () => again()),
    resign: button("Resign", "X", () => resign()),
    save: h("button", { type: "button", onclick: save }, "Save"),
    link: h("button", { type: "button", onclick: link, title: "A link that opens this position" }, "Link"),
    keys: button("Keys", "?", () => help.showModal()),
  };
  const place = h("input", { class: "address", readonly: true, hidden: true, "aria-label": "Link to this position", onfocus: () => place.select() });

  main.append(h("div", { class: "play" },
    h("section", { class: "stage", "aria-label": "Game" },
      h("div", { class: "players" }, sides), status,
      h("div", { class: "frame" }, board.element, veil), trays, board.choices, trouble),
    h("aside", {},
      h("section", { class: "panel" }, title, facts,
        h("div", { class: "controls" }, Object.values(buttons)), place, roster),
      h("section", { class: "panel" },
        h("label", { class: "switch" }, shownBox, h("span", {}, "Show the search"), h("kbd", {}, "S")), thoughts, rates),
      h("section", { class: "panel" }, h("h2", {}, "Moves"), history)),
    help));

  async function run(answer) {
    try {
      trouble.textContent = "";
      return await answer;
    } catch (error) {
      trouble.textContent = error.message;
      if (table) drawTable();
    }
  }

  async function join() {
    try {
      await ask("join", { seat });
    } catch (error) {
      if (error instanceof Lost) return; // it will be tried again
      main.replaceChildren(h("div", { class: "panel lost" }, h("h1", {}, "No such game"), h("p", {}, error.message), h("a", { href: "#/" }, "Choose a game")));
    }
  }

  // --- Drawing ---

  function drawTable() {
    const { game, mover, over, players } = table;
    const own = typeof table.viewer === "number" ? table.viewer : null;
    if (turned === null) turned = Boolean(table.board.turned && own === 1);
    board.turned === turned || board.turn(turned);
    drawVeil();
    board.show(table.board, veil.hidden ? table : { ply: table.ply });
    title.textContent = gameTitle(game.spec, [game]);
    document.title = `${game.title} – tesuji lab`;
    for (const side of [0, 1]) {
      const person = players[side] === HUMAN;
      sides[side].className = `player side-${side} of-${game.name}${mover === side ? " moves" : ""}`;
      sides[side].replaceChildren(
        h("i", { class: `dot side-${side} of-${game.name}` }),
        h("span", { class: "who" }, h("b", {}, capital(game.players[side])), h("small", {}, person ? (own === side || own === null ? "you" : "the other person") : players[side])),
        h("time", { "data-side": side }, clock(table.seconds[side])));
    }
    status.textContent = statusText();
    status.className = `status${over ? " over" : table.moves.length ? " yours" : ""}`;
    facts.textContent = table.board.facts.join(" · ");
    if (table.problem) trouble.textContent = table.problem;
    drawTrays();
    drawControls();
    drawHistory();
    drawSearch();
  }

  function statusText() {
    const { game, mover, over, players } = table;
    if (over) return capital(table.result);
    const name = mover === -1 ? "Chance" : capital(game.players[mover]);
    if (table.moves.length) {
      const whose = players.every((player) => player === HUMAN) ? `${name}: ` : "Your turn. ";
      return `${whose}${table.board.prompt}`;
    }
    if (table.paused && !table.thinking) return `Paused. ${name} to move`;
    return players[mover] === HUMAN ? `Waiting for ${name}` : `${name} is thinking …`;
  }

  function drawVeil() {
    const other = seats.find((one) => one !== seat);
    const waits = other && !table.over && table.mover !== table.viewer;
    const covered = Boolean(other) && !table.over && (waits || curtain);
    veil.hidden = !covered;
    if (!covered) return;
    const name = capital(table.game.players[table.mover]);
    veil.replaceChildren(h("p", {}, `It is the turn of ${name}.`), h("button", { type: "button", class: "main", onclick: () => {
      curtain = false;
      if (!waits) return drawTable();
      seat = other;
      turned = null;
      join();
    } }, `I am ${name}: show the board`));
  }

  function drawTrays() {
    const small = (one) => h("span", { class: "small" }, svg("svg", { viewBox: "-50 -50 100 100", class: "grid", role: "img", "aria-label": one.label }, piece({ ...one, hp: null })));
    const { trays: lost = [], roster: rows = [] } = table.board;
    trays.replaceChildren(...lost.map(({ label, pieces }) => h("div", { class: "tray" }, h("small", {}, label), pieces.map(small))));
    roster.replaceChildren(
      ...(rows.length ? [h("table", { class: "roster" },
        h("thead", {}, h("tr", {}, ["", "HP", h("abbr", { title: "attack / defence / intelligence" }, "a/d/i"), "ability"].map((text) => h("th", {}, text)))),
        h("tbody", {}, rows.map((one) => h("tr", { class: one.hp[0] ? "" : "gone" }, h("td", {}, small(one)), h("td", {}, String(one.hp[0])), h("td", {}, one.three), h("td", {}, one.kind, " ", h("small", {}, one.note))))))] : []),
    );
  }

  function drawControls() {
    const people = table.players.filter((player) => player === HUMAN).length;
    buttons.pause.hidden = table.over || (people > 0 && !table.paused);
    buttons.pause.textContent = table.paused ? "Go on" : "Pause";
    buttons.step.hidden = table.over || people > 0;
    buttons.undo.disabled = !table.can_undo;
    buttons.hint.hidden = people === 0;
    buttons.hint.disabled = !table.moves.length || table.hinting;
    buttons.hint.textContent = table.hinting ? "Thinking …" : "Hint";
    buttons.resign.hidden = people === 0;
    buttons.resign.disabled = table.over;
    buttons.turn.hidden = table.board.style === "text";
    buttons.again.classList.toggle("main", table.over);
  }

  function drawHistory() {
    const turns = [];
    for (const [side, turn, text] of table.history) {
      if (turns.at(-1)?.turn === turn && turns.at(-1).side === side) turns.at(-1).texts.push(text);
      else turns.push({ turn, side, texts: [text] });
    }
    const bottom = history.scrollHeight - history.scrollTop - history.clientHeight < 40;
    history.replaceChildren(...turns.map(({ side, texts }) =>
      h("li", { class: `side-${side} of-${table.game.name}` }, h("i", { class: `dot side-${side} of-${table.game.name}` }), texts.join(" "))));
    if (bottom) history.scrollTop = history.scrollHeight;
  }

  function drawSearch() {
    board.showSearch(shown && veil.hidden ? search : null);
    thoughts.hidden = !shown;
    rates.hidden = !shown || !table?.values.length;
    if (!shown || !table) return;
    rates.replaceChildren(h("h3", {}, `Win rate of ${capital(table.game.players[0])}`), graph(table.values, table.ply, table.game.players));
    if (!search) {
      thoughts.hidden = table.over;
      const secret = table.game.hidden && !table.over && table.viewer !== null;
      const advice = table.players.includes(HUMAN) ? " Hint shows what a search would do in your place." : "";
      thoughts.replaceChildren(h("p", { class: "note" },
        (secret ? "The other side's thoughts are hidden here." : "Nothing has been searched here yet.") + advice));
      return;
    }
    const name = capital(table.game.players[search.side]);
    const most = Math.max(1, ...search.candidates.map(({ visits }) => visits));
    const speed = search.seconds ? `, ${short(Math.round(search.simulations / search.seconds))}/s` : "";
    thoughts.replaceChildren(
      h("h3", {}, `${name}: ${search.player}`),
      h("p", { class: "note" }, `${search.simulations.toLocaleString("en")} simulations in ${search.seconds.toFixed(1)} s${speed}${search.done ? "" : " …"}`),
      h("table", { class: "candidates" },
        h("thead", {}, h("tr", {}, ["move", "visits", `${name} wins`].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, search.candidates.slice(0, 6).map(({ text, visits, value }) => {
          const bar = h("span", { class: "bar" });
          bar.style.width = `${(100 * visits) / most}%`;
          return h("tr", {}, h("td", {}, text), h("td", {}, bar, h("span", {}, short(visits))), h("td", {}, visits ? percent(value) : "–"));
        }))),
      h("p", { class: "line" }, h("span", { class: "note" }, "expects "), search.line.map(({ text, side }) => h("span", { class: `side-${side}` }, `${text} `))),
    );
  }

  // --- What a person does ---

  function toggleSearch(on) {
    shown = shownBox.checked = on;
    localStorage.setItem("search", on ? "shown" : "hidden");
    drawSearch();
  }

  function turnBoard() {
    turned = !turned;
    board.turn(turned);
    drawTable();
  }

  async function again() {
    const next = await run(ask("again"));
    if (next) location.hash = `#/game/${next.join("~")}`;
  }

  function resign() {
    if (resigning) {
      clearTimeout(resigning);
      resigning = null;
      buttons.resign.textContent = "Resign";
      return run(ask("resign"));
    }
    buttons.resign.textContent = "Really resign?";
    say("Press again to resign.");
    resigning = setTimeout(() => {
      resigning = null;
      buttons.resign.textContent = "Resign";
    }, 4000);
  }

  async function save() {
    const record = await run(ask("record"));
    if (!record) return;
    const blob = new Blob([JSON.stringify(record, null, 1)], { type: "application/json" });
    const file = h("a", { href: URL.createObjectURL(blob), download: `${table.game.name}-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.json` });
    file.click();
    URL.revokeObjectURL(file.href);
  }

  async function link() {
    const position = await run(ask("position"));
    if (!position) return;
    const query = new URLSearchParams({ game: table.game.name, position });
    for (const player of table.players) query.append("player", player);
    place.value = `${location.origin}/#/new?${query}`;
    place.hidden = false;
    place.focus();
    await navigator.clipboard?.writeText(place.value).then(() => {
      say("The link is copied.");
      buttons.link.textContent = "Copied";
      setTimeout(() => (buttons.link.textContent = "Link"), 2000);
    }, () => {});
  }

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox") return;
    const key = event.key.toLowerCase();
    const actions = { u: buttons.undo, h: buttons.hint, f: buttons.turn, n: buttons.again, x: buttons.resign, ".": buttons.step, "?": buttons.keys };
    const choice = board.choices.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (key === "escape") board.cancel();
    else if (key === "s") toggleSearch(!shown);
    else if (key === " " && event.target.tagName !== "BUTTON" && !buttons.pause.hidden) buttons.pause.click();
    else if (choice && key) choice.click();
    else if (actions[key] && !actions[key].hidden && !actions[key].disabled) actions[key].click();
    else return;
    event.preventDefault();
  }

  const ticking = setInterval(() => {
    if (!table || table.over || table.paused) return;
    if (table.thinking && performance.now() - since > 3000 && search?.ply !== table.ply) {
      status.textContent = `${statusText()} The first search of a game is compiled: that can take 20 seconds, once.`;
    }
    const time = main.querySelector(`time[data-side="${table.mover}"]`);
    if (time) time.textContent = clock(table.seconds[table.mover] + (performance.now() - since) / 1000);
  }, 250);
  document.addEventListener("keydown", press);
  join();
  return {
    open: join,
    leave: () => {
      clearInterval(ticking);
      document.removeEventListener("keydown", press);
      ask("leave").catch(() => {});
    },
    push: (message) => {
      if (message.push === "search") {
        search = message;
        if (table) drawSearch();
        return;
      }
      const earlier = table;
      table = message;
      since = performance.now();
      if (search && search.ply > table.ply) search = null;
      if (earlier?.ply !== table.ply) place.hidden = true; // that link leads elsewhere
      drawTable();
      const [, , text] = table.history.at(-1) ?? [];
      if (earlier && table.ply > earlier.ply && text) say(`${text}. ${statusText()}`);
    },
  };
}
