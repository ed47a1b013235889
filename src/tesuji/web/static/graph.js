// The win rate over the game so far, seen from the first player: one point for each search.

import { percent, svg } from "./dom.js";

const [WIDTH, HEIGHT, LEFT] = [300, 96, 30];

export function graph(values, ply, players) {
  const most = Math.max(8, ply, ...values.map(([at]) => at + 1));
  const x = (at) => LEFT + ((WIDTH - LEFT - 6) * at) / most;
  const y = (value) => 4 + (HEIGHT - 8) * (1 - value);
  const points = values.map(([at, side, value]) => [at, side, side === 0 ? value : 1 - value]);
  const label = points.length
    ? `Win rate of ${players[0]}: ${percent(points.at(-1)[2])} at move ${points.at(-1)[0]}`
    : "No search yet";
  const picture = svg(
    "svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": label },
    ...[0, 0.5, 1].map((value) => svg("path", { d: `M${LEFT} ${y(value)}H${WIDTH - 6}`, class: value === 0.5 ? "middle" : "rule" })),
    ...[0, 0.5, 1].map((value) => svg("text", { x: LEFT - 5, y: y(value) }, percent(value))),
  );
  if (points.length) {
    const line = points.map(([at, , value]) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
    picture.append(
      svg("path", { d: `M${x(points[0][0])} ${y(0.5)}L${line}L${x(points.at(-1)[0])} ${y(0.5)}Z`, class: "area" }),
      svg("path", { d: `M${line}`, class: "curve" }),
      ...points.map(([at, side, value]) =>
        svg("circle", { cx: x(at), cy: y(value), r: points.length > 60 ? 1.5 : 2.6, class: `side-${side}` },
          svg("title", {}, `Move ${at + 1}, ${players[side]}: ${percent(value)} for ${players[0]}`)),
      ),
    );
  }
  return picture;
}
