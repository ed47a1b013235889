// How pieces look: each in a square of 100 units around its centre. Colours are in lab.css.

import { svg } from "./dom.js";

const GHOST = "M-27 33V-5a27 27 0 0 1 54 0V33l-9-8-9 8-9-8-9 8-9-8Z";
const CROWN = "M-29-13-15 4-11-24 0 0 11-24 15 4 29-13 21 19H-21ZM-21 23H21V31H-21Z";

// Signs for units and abilities, drawn within 56 units.
const SIGNS = {
  fighter: "M0-27 5-8 26 6V13L5 7 4 18 11 24V28L0 25-11 28V24L-4 18-5 7-26 13V6L-5-8Z",
  attacker: "M-3-26H3L5-10H27V0L5 3 3 17 12 22V27H-12V22L-3 17-5 3-27 0V-10H-5Z",
  panzer: "M-13-13H8L11-6H28V0H12V2H24A8 8 0 0 1 24 20H-24A8 8 0 0 1-24 2H-16Z",
  cannon: "M-14-1 18-24 23-17 4-3V3H24A8.500 8.500 0 0 1 24 20H-24A8.500 8.500 0 0 1-24 3H-14Z",
  antiair: "M-12-3-16-24-9-25-5-5H1L7-25 14-23 9-3H13V3H24A8.500 8.500 0 0 1 24 20H-24A8.500 8.500 0 0 1-24 3H-12Z",
  infantry: "M0-27A8 8 0 1 1 0-11A8 8 0 1 1 0-27ZM-13-8H13L16 10H10L8 27H-8L-10 10H-16Z",
  dash: "M-24-20H-12L6 0-12 20H-24L-6 0ZM0-20H12L30 0 12 20H0L18 0Z",
  fire: "M2-28C6-14 22-8 20 8A20 19 0 0 1-20 8C-20-2-12-6-11-14-5-11-3-7-3-3 3-9 4-18 2-28ZM0 22A9 9 0 0 0 9 12C9 6 3 4 2-2-2 4-9 6-9 13A9 9 0 0 0 0 22Z",
  bravery: "M0-26 23-18V2C23 15 12 23 0 28-12 23-23 15-23 2V-18ZM-4-14V-5H-13V4H-4V16H4V4H13V-5H4V-14Z",
  charge: "M-27-8H-2V-22L20 0-2 22V8H-27ZM22-24H29V24H22Z",
  confusion: "M3 2A5 5 0 1 0-6-2 9 9 0 0 0 10 6 14 14 0 1 0-16-4 20 20 0 0 0 8 21L10 27A27 27 0 0 1-23-5 21 21 0 1 1 16 10 16 16 0 0 1-13-2 12 12 0 0 1 9-3 8 8 0 0 1 3 2Z",
};

export function piece(of) {
  const group = svg("g", { class: `piece side-${of.side ?? "none"} ${of.kind}${of.done ? " done" : ""}` });
  if (of.kind === "stone") {
    group.append(svg("circle", { r: 46, class: "stone" }));
  } else if (of.kind === "amazon") {
    const tips = [[-29, -17], [-11, -28], [11, -28], [29, -17]];
    group.append(
      svg("path", { d: CROWN, class: "body" }),
      ...tips.map(([x, y]) => svg("circle", { cx: x, cy: y, r: 5, class: "body" })),
    );
  } else if (of.kind === "arrow") {
    group.append(
      svg("rect", { x: -38, y: -38, width: 76, height: 76, rx: 14, class: "block" }),
      svg("path", { d: "M-16-16 16 16M16-16-16 16", class: "cross" }),
    );
  } else if (of.kind === "ghost") {
    group.append(
      svg("circle", { r: 44, class: "token" }),
      svg("path", { d: GHOST, class: `body ${of.tone}` }),
      svg("circle", { cx: -10, cy: -11, r: 5, class: "eye" }),
      svg("circle", { cx: 10, cy: -11, r: 5, class: "eye" }),
      svg("text", { y: 11, class: "letter" }, of.letter),
    );
  } else {
    const raised = of.hp ? -7 : 0;
    group.append(
      of.three
        ? svg("circle", { r: 43, class: "token" })
        : svg("rect", { x: -43, y: -43, width: 86, height: 86, rx: 16, class: "token" }),
      svg("path", { d: SIGNS[of.kind] ?? "", class: "sign", "fill-rule": "evenodd", transform: `translate(0 ${raised}) scale(.86)` }),
    );
    if (of.three) group.append(svg("text", { x: -31, y: -25, class: "badge" }, of.letter));
    if (of.confused) group.append(svg("text", { x: 31, y: -23, class: "badge" }, "?"));
  }
  if (of.hp) {
    const [left, most] = of.hp;
    group.append(
      svg("rect", { x: -34, y: 22, width: 68, height: 17, rx: 5, class: "health" }),
      svg("rect", { x: -34, y: 22, width: (68 * left) / most, height: 17, rx: 5, class: left * 3 > most ? "left" : "left low" }),
      svg("text", { y: 31, class: "points" }, String(left)),
    );
  }
  return group;
}

const GROUND = {
  forest: "M-22 14-10-14 2 14ZM0 20 12-8 24 20Z",
  mountain: "M-30 22-6-22 8 4 16-8 32 22Z",
  sea: "M-28-8q7-9 14 0t14 0 14 0 14 0M-28 10q7-9 14 0t14 0 14 0 14 0",
  fortress: "M-24 24V-20H-14V-10H-5V-20H5V-10H14V-20H24V24H7V6H-7V24Z",
};

export function ground(kind) {
  return GROUND[kind] ? svg("path", { d: GROUND[kind], class: `relief ${kind}` }) : null;
}
