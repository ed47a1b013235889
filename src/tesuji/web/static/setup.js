// The room where a game is chosen: which game, its options, who plays each side; and recent games.

import { Board } from "./board.js";
import { capital, h } from "./dom.js";
import { ask } from "./socket.js";

const HUMAN = "human";
let catalogue = null; // what the server offers; it does not change while it runs

function specText(name, values) {
  const words = Object.entries(values).filter(([, value]) => value !== "")
    .map(([key, value]) => (/[,:]/.test(value) ? `${key}="${value}"` : `${key}=${value}`));
  return words.length ? `${name}:${words.join(",")}` : name;
}

function parseSpec(text) {
  const at = text.indexOf(":");
  const values = {};
  if (at < 0) return [text, values];
  for (const [, key, quoted, bare] of text.slice(at + 1).matchAll(/(\w+)=(?:"([^"]*)"|([^,]*))/g)) {
    values[key] = quoted ?? bare;
  }
  return [text.slice(0, at), values];
}

export function gameTitle(spec, games = catalogue?.games ?? []) {
  const [name, values] = parseSpec(spec);
  const title = games.find((game) => game.name === name)?.title ?? capital(name);
  const words = Object.entries(values).map(([key, value]) => (key === "size" ? `${value}×${value}` : `${key} ${value}`));
  return [title, ...words].join(" · ");
}

function field(setting, value, change) {
  const label = capital(setting.name.replaceAll("_", " "));
  const note = (input) => h("label", { class: "field" }, h("span", {}, label), input);
  if (setting.kind === "choice" || setting.kind === "switch") {
    const choices = setting.choices ?? ["false", "true"];
    const words = setting.kind === "switch" ? { false: "no", true: "yes" } : {};
    const select = h("select", { name: setting.name, onchange: () => change(select.value === setting.default ? "" : select.value) },
      choices.map((choice) => h("option", { value: choice }, words[choice] ?? choice)));
    select.value = value || setting.default;
    return note(select);
  }
  const numeric = setting.kind === "whole" || setting.kind === "number";
  const input = h("input", {
    name: setting.name, type: numeric ? "number" : "text", step: setting.kind === "whole" ? 1 : numeric ? "any" : null,
    placeholder: setting.default ?? "not set", value: value ?? "", autocomplete: "off", spellcheck: "false",
    onchange: () => change(input.value.trim()),
  });
  return note(input);
}

export function setup(main, query) {
  const given = new URLSearchParams(query.replace(/^new\?/, ""));
  const board = new Board();
  const cards = h("div", { class: "cards", role: "radiogroup", "aria-label": "Game" });
  const form = h("form", { class: "panel", onsubmit: start });
  const trouble = h("p", { class: "trouble", role: "alert" });
  const preview = h("div", { class: "preview" }, board.element);
  const recent = h("section", { class: "recent" });
  let [name, options] = parseSpec(given.get("game") ?? localStorage.getItem("game") ?? "");
  let position = given.get("position");
  let players = [];
  const sides = [0, 1].map((side) => parseSpec(given.getAll("player")[side] ?? (side === 0 ? HUMAN : "")));
  let alive = true;

  main.append(h("h1", {}, "Play"), cards, h("div", { class: "setup" }, form, preview), recent);

  async function load() {
    catalogue ??= await ask("menu");
    if (!catalogue.games.some((game) => game.name === name)) {
      [name, options, position] = [catalogue.games[0].name, {}, null];
    }
    if (!alive) return;
    drawCards();
    await Promise.all([choose(name, options), list()]);
  }

  function game() {
    return catalogue.games.find((one) => one.name === name);
  }

  function drawCards() {
    const walk = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const press = (event) => {
      if (!walk[event.key]) return;
      const all = [...cards.children];
      const next = all.at((all.indexOf(event.target) + walk[event.key]) % all.length);
      next.focus();
      next.click();
      event.preventDefault();
    };
    cards.replaceChildren(...catalogue.games.map((one) => {
      const card = h("button", { type: "button", class: "card", role: "radio", "aria-checked": String(one.name === name), onclick: () => choose(one.name, {}, true), onkeydown: press }, one.title);
      card.dataset.game = one.name;
      return card;
    }));
  }

  async function choose(chosen, values, forget = false) {
    if (forget) position = null;
    [name, options] = [chosen, { ...values }];
    localStorage.setItem("game", name);
    for (const card of cards.children) card.setAttribute("aria-checked", String(card.dataset.game === name));
    drawForm(null);
    show();
    const found = await ask("players", { game: name }).catch((error) => ((trouble.textContent = error.message), []));
    if (!alive || chosen !== name) return;
    players = found;
    for (const side of sides) {
      if (side[0] !== HUMAN && !players.some((player) => player.name === side[0])) {
        const favourite = players.find((player) => player.name === catalogue.favourite) ?? players[0];
        [side[0], side[1]] = [favourite?.name ?? HUMAN, {}];
      }
    }
    drawForm(players);
  }

  function drawForm(known) {
    const one = game();
    const fields = one.options.map((option) => field(option, options[option.name], (value) => {
      options[option.name] = value;
      show();
    }));
    const optional = position
      ? h("p", { class: "note" }, "From the position that you see. ", h("button", { type: "button", class: "link", onclick: () => choose(name, {}, true) }, "Start from the beginning"))
      : h("fieldset", { class: "options", hidden: fields.length === 0 }, h("legend", {}, "Options"), h("div", { class: "fields" }, fields));
    form.replaceChildren(
      h("h2", {}, one.title),
      h("p", { class: "how" }, one.how),
      optional,
      h("div", { class: "sides" }, [0, 1].map((side) => drawSide(one, side, known))),
      h("div", { class: "actions" },
        h("button", { class: "main", type: "submit", disabled: known === null }, "Start"),
        h("button", { type: "button", class: "quiet", onclick: swap }, "Swap sides"),
        openButton()),
      trouble,
    );
  }

  function drawSide(one, side, known) {
    const [chosen, values] = sides[side];
    const title = h("legend", {}, h("i", { class: `dot side-${side} of-${one.name}` }), capital(one.players[side]));
    if (known === null) return h("fieldset", {}, title, h("p", { class: "note" }, "Asking who can play …"));
    const select = h("select", { "aria-label": `Who plays ${one.players[side]}`, name: `side-${side}`, onchange: () => {
      sides[side] = [select.value, {}];
      drawForm(players);
      form.querySelector(`[name=side-${side}]`).focus();
    } }, h("option", { value: HUMAN }, "You (a person)"), known.map((player) => h("option", { value: player.name }, player.name)));
    select.value = chosen;
    const player = known.find((candidate) => candidate.name === chosen);
    const settings = player?.settings.map((setting) => field(setting, values[setting.name], (value) => (values[setting.name] = value))) ?? [];
    return h("fieldset", {}, title, select,
      player ? h("p", { class: "note" }, player.text) : null,
      settings.length ? h("details", { open: Object.values(values).some(Boolean) }, h("summary", {}, "Settings"), h("div", { class: "fields" }, settings)) : null);
  }

  function swap() {
    sides.reverse();
    drawForm(players);
  }

  function openButton() {
    const file = h("input", { type: "file", accept: ".json,application/json", class: "unseen", tabindex: -1, "aria-hidden": "true", onchange: async () => {
      try {
        const record = JSON.parse(await file.files[0].text());
        go(await ask("open", { record }));
      } catch (error) {
        trouble.textContent = error instanceof SyntaxError ? "This file is not a saved game." : error.message;
      }
      file.value = "";
    } });
    return h("span", {}, file, h("button", { type: "button", class: "quiet", onclick: () => file.click() }, "Open a saved game …"));
  }

  async function show() {
    const wanted = specText(name, options);
    trouble.textContent = "";
    try {
      const drawn = await ask("preview", position ? { game: name, position } : { game: wanted });
      if (alive && wanted === specText(name, options)) board.show(drawn);
    } catch (error) {
      trouble.textContent = error.message;
    }
  }

  async function start(event) {
    event.preventDefault();
    const button = form.querySelector(".main");
    button.disabled = true;
    button.textContent = "Preparing …";
    trouble.textContent = "";
    try {
      go(await ask("new", {
        game: position ? name : specText(name, options),
        players: sides.map(([player, values]) => specText(player, values)),
        position,
      }));
    } catch (error) {
      trouble.textContent = error.message;
      button.disabled = false;
      button.textContent = "Start";
    }
  }

  function go(seats) {
    location.hash = `#/game/${seats.join("~")}`;
  }

  function when(seconds) {
    return new Date(1000 * seconds).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }

  async function list() {
    const rows = await ask("games");
    if (!alive || !rows.length) return recent.replaceChildren();
    recent.replaceChildren(h("h2", {}, "Recent games"), h("ul", {}, rows.map((row) => h("li", {},
      h("a", { href: `#/game/${row.seat}` },
        h("b", {}, gameTitle(row.game)),
        h("span", {}, row.players.map((player) => (player === HUMAN ? "you" : player)).join(" – ")),
        h("small", {}, `${when(row.updated)} · ${row.moves} moves, ${row.outcome === null ? "goes on" : "over"}`)),
      h("button", { type: "button", class: "quiet", title: "Delete this game", "aria-label": `Delete ${gameTitle(row.game)}`, onclick: async () => {
        await ask("forget", { seat: row.seat }).catch((error) => (trouble.textContent = error.message));
        list();
      } }, "×")))));
  }

  load().catch((error) => (trouble.textContent = error.message));
  return { leave: () => (alive = false), open: () => {}, push: () => {} };
}
