// One board for all games: it draws what the server sends and turns clicks into a move.
//
// A move is a path of steps (cells, or names of buttons that begin with "!"), and the board keeps
// the steps chosen so far. Cells are numbered from the top left; `turned` shows them from the other
// side. Everything that changes is drawn anew but the pieces, which glide to where they are now.

import { capital, h, percent, say, short, svg } from "./dom.js";
import { ground, piece } from "./pieces.js";

const CELL = 100;
const EDGE = 46; // room for the coordinates
const MOST_ARROWS = 3;
const MOST_NUMBERS = 10; // candidates whose numbers are written on the board
const BUTTONS = {
  "!pass": "Pass",
  "!end": "End turn",
  "!attack": "Attack",
  "!fire": "Fire",
  "!charge": "Charge",
  "!confusion": "Confuse",
};

export class Board {
  constructor(play = () => {}) {
    this.play = play;
    this.turned = false;
    this.search = null;
    this.chosen = [];
    this.moves = [];
    this.pieces = new Map();
    this.cursor = null;
    this.element = h("div", { class: "board" });
    this.choices = h("div", { class: "choices", role: "group", "aria-label": "Actions" });
  }

  // --- What is shown ---

  show(board, { moves = [], last = [], ply = 0 } = {}) {
    const shape = `${board.style} ${board.rows} ${board.columns} ${JSON.stringify(board.ground)}`;
    this.board = board;
    if (ply !== this.ply || moves.length !== this.moves.length) this.chosen = [];
    Object.assign(this, { moves, last, ply });
    if (board.style === "text") this.drawText();
    else {
      if (shape !== this.shape) this.drawGround();
      this.shape = shape;
      this.drawPieces();
    }
    this.refresh();
  }

  showSearch(search) {
    this.search = search;
    if (this.board && this.board.style !== "text") this.drawHeat();
  }

  turn(turned) {
    if (turned === this.turned) return;
    this.turned = turned;
    this.shape = null;
    if (this.board) this.show(this.board, this);
  }

  refresh() {
    if (this.board.style !== "text") {
      this.drawMarks();
      this.drawHeat();
    }
    this.drawChoices();
  }

  // --- Geometry ---

  rowAndColumn(cell) {
    const { rows, columns, extra = [] } = this.board;
    let [row, column] = [Math.floor(cell / columns), cell % columns];
    if (cell >= rows * columns) [, row, column] = extra.find(([id]) => id === cell);
    return this.turned ? [rows - 1 - row, columns - 1 - column] : [row, column];
  }

  centre(cell) {
    const [row, column] = this.rowAndColumn(cell);
    return [CELL * (column + 0.5), CELL * (row + 0.5)];
  }

  name(cell) {
    const { rows, columns, column_labels, row_labels, separator = "" } = this.board;
    if (cell >= rows * columns) return "the way out";
    return `${column_labels[cell % columns]}${separator}${row_labels[Math.floor(cell / columns)]}`;
  }

  allCells() {
    const { rows, columns, extra = [] } = this.board;
    return [...Array(rows * columns).keys(), ...extra.map(([id]) => id)];
  }

  // --- Drawing ---

  drawText() {
    const lines = this.board.lines.map((runs) =>
      h("div", {}, runs.map(([text, ink, paper]) => {
        const run = h("span", {}, text);
        if (ink) run.style.color = ink;
        if (paper) run.style.backgroundColor = paper;
        return run;
      }), runs.length ? null : "\u00a0"),
    );
    this.element.replaceChildren(h("pre", { class: "drawing", tabindex: 0 }, lines));
  }

  drawGround() {
    const { style, rows, columns, extra = [], stars = [] } = this.board;
    const beyond = extra.length ? CELL : 0;
    const [width, height] = [CELL * columns, CELL * rows];
    const box = [-EDGE, -beyond - 8, width + EDGE + 8, height + 2 * beyond + EDGE + 8];
    this.layers = {};
    const layer = (name) => (this.layers[name] = svg("g", { class: name }));
    const floor = svg("g", { class: "floor" });
    floor.append(svg("rect", { x: 0, y: 0, width, height, class: "table" }));
    const hits = svg("g", { class: "hits" });
    for (const cell of this.allCells()) {
      const [row, column] = this.rowAndColumn(cell);
      const [x, y] = [CELL * column, CELL * row];
      const beyondEdge = cell >= rows * columns;
      const kind = beyondEdge ? extra.find(([id]) => id === cell)[3] : this.board.ground?.[cell];
      if (style !== "go") {
        const parity = (row + column) % 2 ? "odd" : "even";
        floor.append(svg("rect", { x, y, width: CELL, height: CELL, class: `cell ${parity} ${kind ?? ""}` }));
        const relief = ground(kind);
        if (relief) floor.append(svg("g", { transform: `translate(${x + 50} ${y + 50})` }, relief));
        if (kind === "exit") {
          const up = row < 0;
          const d = up ? "M50 22 74 52H60V78H40V52H26Z" : "M50 92 74 66H60V46H40V66H26Z";
          floor.append(svg("path", { d, transform: `translate(${x} ${y})`, class: "way" }));
        }
      }
      hits.append(svg("rect", { x, y, width: CELL, height: CELL, class: "hit", "data-cell": cell }));
    }
    if (style === "go") {
      for (let i = 0; i < columns; i += 1) {
        const at = CELL * (i + 0.5);
        floor.append(svg("path", { d: `M${at} 50V${height - 50}M50 ${at}H${width - 50}`, class: "line" }));
      }
      for (const star of stars) {
        const [cx, cy] = this.centre(star);
        floor.append(svg("circle", { cx, cy, r: 9, class: "star" }));
      }
    }
    this.drawCoordinates(floor, width, height);
    this.svg = svg(
      "svg",
      { viewBox: box.join(" "), class: `grid ${style}`, tabindex: 0, role: "application",
        "aria-roledescription": "board", "aria-label": "Board. Arrow keys move, Enter chooses, Escape takes back." },
      floor, layer("marks"), layer("heat"), layer("men"), layer("targets"), layer("labels"), hits,
    );
    this.svg.style.setProperty("--ratio", box[2] / box[3]);
    this.pieces = new Map();
    this.listen();
    this.element.replaceChildren(this.svg);
  }

  drawCoordinates(floor, width, height) {
    const { rows, columns, column_labels, row_labels } = this.board;
    for (let column = 0; column < columns; column += 1) {
      const text = column_labels[this.turned ? columns - 1 - column : column];
      floor.append(svg("text", { x: CELL * (column + 0.5), y: height + 28, class: "coordinate" }, text));
    }
    for (let row = 0; row < rows; row += 1) {
      const text = row_labels[this.turned ? rows - 1 - row : row];
      floor.append(svg("text", { x: -24, y: CELL * (row + 0.5), class: "coordinate" }, text));
    }
  }

  drawPieces() {
    const seen = new Set();
    for (const one of this.board.pieces) {
      const key = String(one.id);
      const looks = JSON.stringify({ ...one, at: 0 });
      seen.add(key);
      let known = this.pieces.get(key);
      if (!known || known.looks !== looks) {
        const element = piece(one);
        if (known) known.element.replaceWith(element);
        else this.layers.men.append(element);
        if (known) element.style.transform = known.element.style.transform;
        known = { element, looks };
        this.pieces.set(key, known);
      }
      const [x, y] = this.centre(one.at);
      known.at = one.at;
      requestAnimationFrame(() => (known.element.style.transform = `translate(${x}px, ${y}px)`));
      if (!known.placed) known.element.style.transform = `translate(${x}px, ${y}px)`;
      known.placed = true;
    }
    for (const [key, { element }] of this.pieces) {
      if (!seen.has(key)) {
        element.remove();
        this.pieces.delete(key);
      }
    }
  }

  square(cell, kind, inset = 0) {
    const [x, y] = this.centre(cell);
    const half = CELL / 2 - inset;
    return svg("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, class: kind });
  }

  drawMarks() {
    const { marks, targets } = this.layers;
    const round = this.board.style === "go";
    marks.replaceChildren();
    targets.replaceChildren();
    const at = new Map(this.board.pieces.map((one) => [one.at, one]));
    for (const cell of new Set(this.last)) {
      const [cx, cy] = this.centre(cell);
      if (round) targets.append(svg("circle", { cx, cy, r: 15, class: `last on-${at.get(cell)?.side}` }));
      else marks.append(this.square(cell, "last"));
    }
    const next = this.next();
    for (const hit of this.svg.querySelectorAll(".hit")) {
      const cell = Number(hit.dataset.cell);
      hit.classList.toggle("can", next.has(cell) || (this.board.unordered === true && this.chosen.includes(cell)));
    }
    const first = this.chosen.length === 0 && !this.board.unordered;
    for (const step of this.chosen) {
      if (typeof step === "number") marks.append(this.square(step, "chosen", 3));
    }
    for (const cell of next.keys()) {
      if (typeof cell !== "number" || (round && this.moves.length > 0)) continue;
      const [cx, cy] = this.centre(cell);
      if (first && this.moves.some((move) => move.length > 2)) marks.append(this.square(cell, "movable", 3));
      else if (at.has(cell)) targets.append(svg("circle", { cx, cy, r: 46, class: "target ring" }));
      else targets.append(svg("circle", { cx, cy, r: 13, class: "target" }));
    }
    if (this.cursor !== null) targets.append(this.square(this.cursor, "cursor", 4));
  }

  // --- The search, as heat ---

  candidates() {
    const search = this.search;
    if (!search || (search.ply !== this.ply && search.ply !== this.ply - 1)) return [];
    if (search.ply !== this.ply && this.moves.length) return []; // what was thought is over
    return search.candidates.filter(({ path }) =>
      search.ply !== this.ply || this.chosen.every((step, i) => path[i] === step),
    );
  }

  drawHeat() {
    const { heat, labels } = this.layers;
    heat.replaceChildren();
    labels.replaceChildren();
    const candidates = this.candidates();
    const spots = new Map();
    for (const { path, visits, value } of candidates) {
      const cells = path.filter((step) => typeof step === "number");
      if (!cells.length || this.board.unordered) continue;
      const cell = cells.at(-1);
      if (visits > (spots.get(cell)?.visits ?? -1)) spots.set(cell, { visits, value });
    }
    const hottest = Math.max(1, ...[...spots.values()].map(({ visits }) => visits));
    for (const [place, [cell, { visits, value }]] of [...spots].entries()) { // the best comes first
      const share = visits / hottest;
      if (place && share < 0.01) continue;
      const [cx, cy] = this.centre(cell);
      const spot = svg("circle", { cx, cy, r: 24 + 22 * Math.sqrt(share), class: place ? "spot" : "spot best" });
      spot.style.opacity = 0.18 + 0.72 * share;
      heat.append(spot);
      if (place < MOST_NUMBERS && visits) {
        labels.append(
          svg("text", { x: cx, y: cy - 4, class: "value" }, percent(value)),
          svg("text", { x: cx, y: cy + 22, class: "visits" }, short(visits)),
        );
      }
    }
    for (const [place, { path, visits }] of candidates.slice(0, MOST_ARROWS).entries()) {
      const cells = path.filter((step) => typeof step === "number");
      if (this.board.unordered || (place && visits < 0.2 * hottest)) continue;
      for (let i = 1; i < cells.length; i += 1) {
        if (cells[i] !== cells[i - 1]) heat.append(this.arrow(cells[i - 1], cells[i], place));
      }
    }
  }

  arrow(from, to, place) {
    const [x1, y1] = this.centre(from);
    const [x2, y2] = this.centre(to);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    const d = `M20-7H${length - 48}V-20L${length - 20} 0 ${length - 48} 20V7H20Z`;
    return svg("path", { d, class: `way-${place} pointer`, transform: `translate(${x1} ${y1}) rotate(${angle})` });
  }

  // --- Choosing a move ---

  next() {
    const steps = new Map();
    for (const [move, ...path] of this.moves) {
      if (this.board.unordered) {
        if (!this.chosen.every((step) => path.includes(step))) continue;
        for (const step of path) if (!this.chosen.includes(step)) steps.set(step, move);
      } else if (this.chosen.every((step, i) => path[i] === step)) {
        steps.set(path[this.chosen.length], move);
      }
    }
    return steps;
  }

  complete() {
    const found = this.moves.find(
      ([, ...path]) => path.length === this.chosen.length &&
        (this.board.unordered ? path.every((step) => this.chosen.includes(step)) : path.every((step, i) => this.chosen[i] === step)),
    );
    return found ? found[0] : null;
  }

  choose(step) {
    if (!this.moves.length) return;
    const next = this.next();
    if (this.board.unordered && this.chosen.includes(step)) {
      this.chosen = this.chosen.filter((one) => one !== step);
    } else if (next.has(step)) {
      this.chosen.push(step);
    } else {
      this.chosen = [];
      if (this.next().has(step)) this.chosen.push(step);
    }
    const move = this.complete();
    if (move !== null && !this.board.unordered) return this.submit(move);
    this.refresh();
    if (typeof step === "number") this.announce(step);
  }

  submit(move) {
    const ply = this.ply;
    this.moves = [];
    this.chosen = [];
    this.refresh();
    this.play(move, ply);
  }

  cancel() {
    this.chosen = [];
    this.refresh();
  }

  drawChoices() {
    const names = [...this.next().keys()].filter((step) => typeof step === "string");
    const buttons = names.map((step, place) => {
      const quick = step === "!pass" || step === "!end" ? "P" : place < 9 && names.length < 10 ? String(place + 1) : "";
      const text = BUTTONS[step] ?? capital(step.slice(1));
      return h("button", { type: "button", "data-step": step, "data-key": quick.toLowerCase(), onclick: () => this.choose(step) },
        text, quick ? h("kbd", {}, quick) : null);
    });
    if (this.board.unordered && this.moves.length) {
      const move = this.complete();
      buttons.push(
        h("button", { type: "button", class: "main", disabled: move === null, onclick: () => this.submit(move) }, "Ready"),
        h("button", { type: "button", onclick: () => this.guess() }, "Choose for me"),
      );
    } else if (this.chosen.length) {
      buttons.push(h("button", { type: "button", class: "quiet", onclick: () => this.cancel() }, "Take back", h("kbd", {}, "Esc")));
    }
    this.choices.replaceChildren(...buttons);
  }

  guess() {
    const [, ...path] = this.moves[Math.floor(Math.random() * this.moves.length)];
    this.chosen = path;
    this.refresh();
  }

  announce(cell) {
    const here = this.board.pieces.find((one) => one.at === cell);
    const words = [this.name(cell), here ? here.label : this.board.ground?.[cell] ?? "empty"];
    if (this.chosen.includes(cell)) words.push("chosen");
    else if (this.next().has(cell)) words.push("can be chosen");
    say(words.join(", "));
  }

  // --- Mouse, finger and keyboard ---

  listen() {
    let down = null;
    const cellOf = (event) => {
      const cell = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.cell;
      return cell === undefined ? null : Number(cell);
    };
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      const cell = cellOf(event);
      if (cell === null) return;
      const fresh = !this.next().has(cell) || this.chosen.length === 0;
      const starts = fresh && this.moves.some(([, first, ...rest]) => first === cell && rest.length);
      down = { cell, selected: false, x: event.clientX, y: event.clientY };
      if (starts && !this.board.unordered && this.chosen.at(0) !== cell) {
        this.chosen = [];
        this.choose(cell);
        down.selected = true;
      }
      down.piece = starts ? [...this.pieces.values()].find(({ at }) => at === cell) : null;
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!down?.piece || !event.buttons) return;
      const [dx, dy] = [event.clientX - down.x, event.clientY - down.y];
      if (Math.hypot(dx, dy) < 8) return;
      const scale = this.svg.viewBox.baseVal.width / this.svg.clientWidth;
      const [x, y] = this.centre(down.cell);
      down.piece.element.classList.add("held");
      down.piece.element.style.transform = `translate(${x + dx * scale}px, ${y + dy * scale}px)`;
    });
    const drop = () => {
      if (down?.piece) {
        const [x, y] = this.centre(down.piece.at);
        down.piece.element.classList.remove("held");
        down.piece.element.style.transform = `translate(${x}px, ${y}px)`;
      }
      down = null;
    };
    this.svg.addEventListener("pointerup", (event) => {
      const cell = cellOf(event);
      const from = down;
      drop();
      if (!from || cell === null) return;
      if (this.cursor !== null) {
        this.cursor = null;
        this.refresh();
      }
      if (cell === from.cell ? !from.selected : from.piece && this.next().has(cell)) this.choose(cell);
    });
    this.svg.addEventListener("pointercancel", drop);
    this.svg.addEventListener("pointerleave", (event) => event.buttons && drop());
    this.svg.addEventListener("keydown", (event) => this.press(event));
    this.svg.addEventListener("blur", () => {
      this.cursor = null;
      this.drawMarks(); // not the buttons: one of them may just be pressed
    });
  }

  press(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) {
      this.walk(...steps[event.key]);
    } else if ((event.key === "Enter" || event.key === " ") && this.moves.length) {
      const ready = this.board.unordered && this.complete() !== null && event.key === "Enter";
      if (ready) this.submit(this.complete());
      else if (this.cursor !== null) this.choose(this.cursor);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  walk(down, right) {
    const cells = this.allCells();
    if (this.cursor === null) {
      const { rows, columns } = this.board;
      this.cursor = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
    } else {
      const [row, column] = this.rowAndColumn(this.cursor);
      const found = cells.find((cell) => {
        const [r, c] = this.rowAndColumn(cell);
        return r === row + down && c === column + right;
      });
      if (found !== undefined) this.cursor = found;
    }
    this.refresh();
    this.announce(this.cursor);
  }
}
