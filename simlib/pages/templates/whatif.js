// Sliders that recompute the figures of a .whatif box from the numbers in it; without this script it stays hidden.
"use strict";
for (const box of document.querySelectorAll(".whatif")) {
  const { sliders, measures, groups, words } = JSON.parse(box.querySelector("script").textContent);
  const inputs = [...box.querySelectorAll("input")], select = box.querySelector("select");
  const svg = box.querySelector("svg"), [head, body] = box.querySelectorAll("thead, tbody");
  const [LEFT, WIDE, TOP, BOTTOM, SMALL] = [2, 338, 44, 190, 9];
  const MARKS = {
    o: "M-2.6,0a2.6,2.6 0 1,0 5.2,0a2.6,2.6 0 1,0 -5.2,0", s: "M-2.4,-2.4h4.8v4.8h-4.8z", "^": "M0,-2.9L2.8,2.5h-5.6z",
    D: "M0,-3.3L3.3,0L0,3.3L-3.3,0z", v: "M0,2.9L2.8,-2.5h-5.6z", P: "M-1,-3h2v2h2v2h-2v2h-2v-2h-2v-2h2z",
    X: "M-3,-1.8L-1.8,-3L0,-1.2L1.8,-3L3,-1.8L1.2,0L3,1.8L1.8,3L0,1.2L-1.8,3L-3,1.8L-1.2,0z",
  };
  const group = () => groups[select ? select.value : 0];
  const chosen = () => inputs.map((input) => Number(input.value));
  const played = sliders.map((slider) => slider.present);

  // ---- figures ----

  const sum = (numbers) => numbers.reduce((total, part) => total + part, 0);
  const orNaN = (value) => value ?? NaN;

  function estimate(source, places) {
    const { n, level } = source;
    if (source.points) {
      const [reason, ...found] = source.points[places[0]], [value, low, high] = found.map(orNaN);
      return { value, low, high, n, level, reason };
    }
    const turned = sliders.map((slider, at) => slider.values[places[at]]);
    const value = sum(turned.map((one, at) => one * orNaN(source.means[at])));
    const products = turned.flatMap((one) => turned.map((other) => one * other));
    const half = Math.sqrt(Math.max(0, sum(products.map((part, at) => part * orNaN(source.squares[at])))));
    return { value, low: value - half, high: value + half, n, level, reason: source.reason };
  }

  const negated = (one) => ({ ...one, value: -one.value, low: -one.high, high: -one.low });
  const sideOf = ({ low, high }) => (high < 0 ? 0 : low > 0 ? 2 : 1);

  // ---- words, as simlib.estimates.words tells them ----

  const together = (text) => text.replace(/(?<=\d) (?=%)|(?<=n =) (?=\d)|(?<=n) (?== \d)/g, "\u00a0");
  const fill = (template, holes) => template.replace(/\{(\w+)(?::,)?\}/g, (_, name) => holes[name]);

  function number(value, places) {
    if (!Number.isFinite(value)) return words.dash;
    const text = Math.abs(value).toFixed(places).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");
    return value < 0 && /[1-9]/.test(text) ? words.minus + text : text;
  }

  const within = (places) => Math.min(words.places, Math.max(0, places));
  const placesFor = (width) => (width > 0 && width < Infinity ? within(Math.ceil(-Math.log10(width / 4) - 1e-9)) : 0);
  const ownPlaces = (value) =>
    !Number.isFinite(value) || Number.isInteger(value) ? 0 : within(3 - Math.floor(Math.log10(Math.abs(value))));

  function told(one, measure) {
    const scale = measure.percent ? 100 : 1;
    const [value, low, high] = [one.value, one.low, one.high].map((part) => part * scale);
    const places = high > low ? placesFor(high - low) : ownPlaces(value);
    const shown = Number.isFinite(value) ? number(value, places) : words.dash;
    const unit = measure.unit && Number.isFinite(value);
    return together(fill(words.value, {
      value: unit ? fill(words.unit, { value: shown, unit: measure.unit }) : shown,
      how_sure: bracket(one, number(low, places), number(high, places)),
    }));
  }

  function bracket({ value, low, high, n, level, reason }, from, to) {
    if (!Number.isFinite(value)) return reason || words.reason;
    if (!Number.isFinite(low)) return fill(words.unknown, { reason: reason || words.reason });
    return fill(low === high ? words.same : words.interval, { level, low: from, high: to, n: number(n, 0) });
  }

  function sentence(line, measure, source) {
    const one = estimate(source, chosen());
    const turned = Object.fromEntries(sliders.map(({ key, values }, at) => [key, String(values[chosen()[at]])]));
    return fill(measure.words[measure.words.length > 1 ? sideOf(one) : 0], {
      ...turned, figure: told(one, measure), loss: told(negated(one), measure), line: line.name, group: group().label,
    });
  }

  // ---- the curve, as simlib.figures.charts.curve draws it ----

  function add(name, attributes, text = "") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return svg.appendChild(element);
  }

  const write = (x, y, text, anchor = "start", fill = "var(--muted)") =>
    add("text", { x, y, "text-anchor": anchor, fill }, text);

  function ticks(low, high, most = 5) {
    const power = 10 ** Math.floor(Math.log10((high - low) / most));
    const step = [1, 2, 2.5, 5, 10, 20].map((size) => power * size).find((size) => (high - low) / size <= most);
    const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
    const places = [0, 1, 2, 3, 4, 5].find((count) => Math.abs(step - step.toFixed(count)) < step * 1e-6) ?? 6;
    return Array.from({ length: last - first + 1 }, (_, at) => [(first + at) * step, number((first + at) * step, places)]);
  }

  // The axis holds the curves as played, too, so that one sees them move.
  function limits(scale) {
    const turned = [played, chosen()].flatMap(([, ...others]) => [...sliders[0].values.keys()].map((at) => [at, ...others]));
    const reached = group().lines.flatMap(({ sources }) =>
      turned.map((places) => estimate(sources[0], places)).flatMap(({ value, low, high }) => [value, low, high]));
    const known = reached.filter(Number.isFinite).map((value) => value * scale);
    const [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [0, 1];
    const room = (high - low) * 0.05 || 0.5;
    return [low - room, high + room];
  }

  function spread(ends, gap) {
    const order = [...ends].sort((one, other) => one.y - other.y);
    order.forEach((end, at) => { if (at) end.y = Math.max(end.y, order[at - 1].y + gap); });
    const beyond = order.length ? Math.max(0, order.at(-1).y - BOTTOM) : 0;
    order.reverse().forEach((end, at) => { end.y = at ? Math.min(end.y, order[at - 1].y - gap) : end.y - beyond; });
  }

  const lengthOf = (texts) => Math.max(0, ...texts.map((text) => {
    const element = write(0, 0, text), width = element.getComputedTextLength();
    element.remove();
    return width;
  }));

  function draw() {
    const [slider] = sliders, [measure] = measures, { lines, label } = group(), places = chosen();
    const scale = measure.percent ? 100 : 1, [low, high] = limits(scale);
    svg.replaceChildren();
    const title = fill(words.curve, { figure: measure.label, slider: slider.label, group: label });
    svg.setAttribute("aria-label", title);
    const heights = ticks(low, high), along = [slider.values[0], slider.values.at(-1)];
    if (measure.percent) heights.at(-1)[1] += " %";
    const left = LEFT + 6 + lengthOf(heights.map(([, text]) => text));
    const right = WIDE - 15 - lengthOf(lines.map(({ name }) => name));
    const x = (value) => left + 6 + ((right - left - 12) * (value - along[0])) / (along[1] - along[0] || 1);
    const y = (value) => BOTTOM - ((BOTTOM - TOP) * (value - low)) / (high - low);
    for (const [value, text] of heights) {
      add("path", { d: `M${left},${y(value)}H${right}`, stroke: "var(--grid)", "stroke-width": 0.8 });
      write(left - 4, y(value) + 3, text, "end", "currentColor");
    }
    if (measure.verdicts.length) add("path", { d: `M${left},${y(0)}H${right}`, stroke: "var(--muted)", "stroke-dasharray": "3 2" });
    add("path", { d: `M${left},${BOTTOM}H${right}`, stroke: "var(--muted)", "stroke-width": 0.8 });
    for (const [value, text] of ticks(...along)) {
      add("path", { d: `M${x(value)},${BOTTOM}v3`, stroke: "var(--muted)", "stroke-width": 0.8 });
      write(x(value), BOTTOM + 13, text, "middle", "currentColor");
    }
    write((left + right) / 2, BOTTOM + 27, slider.label, "middle");
    write(LEFT, 10, measure.label);
    const now = slider.values[places[0]], present = slider.values[slider.present];
    upright(x, present, words.present, 26, { stroke: "var(--muted)", "stroke-dasharray": "3 2" });
    if (now !== present) upright(x, now, String(now), 38, { stroke: "currentColor" });
    const ends = lines.map((line) => curve(line, places, x, (value) => y(value * scale)));
    const drawn = ends.filter((end) => Number.isFinite(end.y));
    spread(drawn, SMALL * 1.2);
    for (const { name, colour, mark, y: height } of drawn) {
      add("path", { d: MARKS[mark], fill: colour, transform: `translate(${right + 4} ${height})` });
      write(right + 10, height + 3, name, "start", "currentColor");
    }
  }

  function upright(x, value, text, height, look) {
    const at = x(value), half = lengthOf([text]) / 2;
    add("path", { d: `M${at},${height + 3}V${BOTTOM}`, fill: "none", ...look });
    write(Math.min(Math.max(at, half), WIDE - half), height, text, "middle", look.stroke);
  }

  function curve({ name, colour, mark, dashes, sources }, places, x, y) {
    const points = sliders[0].values.map((value, at) => [x(value), estimate(sources[0], [at, ...places.slice(1)])]);
    const known = points.filter(([, one]) => Number.isFinite(one.value));
    const sure = points.filter(([, one]) => Number.isFinite(one.low));
    const path = (pairs) => pairs.map((pair) => pair.map((part) => part.toFixed(2)).join(",")).join("L");
    const edge = [...sure.map(([at, one]) => [at, y(one.high)]), ...sure.map(([at, one]) => [at, y(one.low)]).reverse()];
    if (edge.length) add("path", { d: `M${path(edge)}z`, fill: colour, opacity: 0.18 });
    if (known.length) add("path", {
      d: `M${path(known.map(([at, one]) => [at, y(one.value)]))}`, fill: "none", stroke: colour, "stroke-width": 1.8,
      "stroke-dasharray": dashes || "none",
    });
    const [at, now] = points[places[0]];
    if (Number.isFinite(now.value)) add("path", { d: MARKS[mark], fill: colour, transform: `translate(${at} ${y(now.value)}) scale(1.3)` });
    return { name, colour, mark, y: known.length ? y(known.at(-1)[1].value) : NaN };
  }

  // ---- the table ----

  function cell(row, text, scope = "") {
    const element = document.createElement(scope ? "th" : "td");
    if (scope) element.scope = scope;
    element.textContent = text;
    row.append(element);
  }

  function list() {
    const judged = measures[0].verdicts.length > 0;
    box.querySelector("caption").textContent = group().label;
    head.replaceChildren(document.createElement("tr"));
    for (const text of [words.players, ...measures.map(({ label }) => label), ...(judged ? [words.verdict] : [])])
      cell(head.firstChild, text, "col");
    body.replaceChildren(...group().lines.map(({ name, sources }) => {
      const row = document.createElement("tr"), found = sources.map((source) => estimate(source, chosen()));
      cell(row, name, "row");
      found.forEach((one, at) => cell(row, told(one, measures[at].percent ? measures[at] : { unit: "" })));
      if (judged) cell(row, measures[0].verdicts[sideOf(found[0])]);
      return row;
    }));
  }

  function show() {
    const { lines, main } = group();
    inputs.forEach((input, at) => {
      const text = String(sliders[at].values[input.value]);
      input.setAttribute("aria-valuetext", text);
      input.parentElement.querySelector("b").textContent = text;
    });
    box.querySelector("output").textContent = measures.map((measure, at) =>
      sentence(lines[main], measure, lines[main].sources[at])).join(words.between);
    draw();
    list();
  }

  function reset() {
    inputs.forEach((input, at) => { input.value = played[at]; });
    show();
  }

  box.hidden = false;
  box.addEventListener("input", show);
  box.querySelector("button").addEventListener("click", reset);
  reset();
}
