"use strict";
(() => {
  const sections = JSON.parse(document.getElementById("curves").textContent);
  const all = (where, what) => [...where.querySelectorAll(what)];
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const escaped = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const grouped = (n) => Math.round(n).toLocaleString("en-US");
  const PAPER = 680; // pixels between the margins of a printed page
  const EARLY = 0.02; // share of the stream ignored by the range of the axes
  const DASHES = ["solid", "dashed", "dotted", [8, 3, 2, 3]];

  // in print all details are open and the light colours are used
  let opened = [];
  window.addEventListener("beforeprint", () => {
    document.documentElement.dataset.paper = "";
    opened = all(document, "main details:not([open])");
    for (const d of opened) d.open = true;
  });
  window.addEventListener("afterprint", () => {
    delete document.documentElement.dataset.paper;
    for (const d of opened) d.open = false;
  });

  // numbers in the format of the tables
  function shown(value, kind) {
    if (value === null || Number.isNaN(value)) return "–";
    const text = kind === "share" ? `${(100 * value).toFixed(2)}\u00a0%` : kind === "index" ? value.toFixed(4) : String(Number(value.toPrecision(5)));
    return text.replace("-", "−");
  }
  function short(n) {
    const [size, unit] = n >= 1e6 ? [1e6, "M"] : n >= 1e4 ? [1e3, "k"] : [1, ""];
    return unit ? `${Number((n / size).toPrecision(4))}${unit}` : grouped(n);
  }
  function save(name, type, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name.replace(/[^\w.-]+/g, "_");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // tables: click a heading to sort; undefined values stay at the bottom
  for (const table of all(document, "table.data")) {
    const body = table.tBodies[0];
    all(table, "thead th").forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
      const text = head.classList.contains("text");
      const now = head.getAttribute("aria-sort");
      const down = now === "none" ? !text : now === "ascending";
      for (const other of all(table, "thead th")) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].dataset.v;
      const missing = (v) => v === "" || v === "nan";
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        if (missing(x) || missing(y)) return missing(x) - missing(y);
        const order = text ? x.localeCompare(y, "en", { numeric: true }) : number(x) - number(y);
        return down ? -order : order;
      });
      body.append(...rows);
    }));
  }
  function number(text) { return text === "-inf" ? -Infinity : text === "inf" ? Infinity : Number(text); }
  for (const button of all(document, '[data-save="table"]')) {
    button.addEventListener("click", () => {
      const table = button.closest(".head").nextElementSibling.querySelector("table.data");
      const cell = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
      // a value over repetitions is four columns; an interval repeats two of them
      const keys = all(table, "thead button").map((b) => b.dataset.key);
      const spread = keys.map((_, i) => [...table.tBodies[0].rows].some((row) => row.cells[i].dataset.sd));
      const parts = (i, all, one) => (keys[i] === undefined ? [] : spread[i] ? all : [one]);
      const lines = [keys.flatMap((key, i) => parts(i, [key, `${key}_sd`, `${key}_low`, `${key}_high`], key))];
      for (const row of table.tBodies[0].rows) {
        const line = [...row.cells].flatMap((c, i) => parts(i, [c.dataset.v, c.dataset.sd, c.dataset.low, c.dataset.high], c.dataset.v));
        lines.push(line.map((v) => (v ?? "").replace(/^nan$/, "")));
      }
      save(`${table.dataset.name}.csv`, "text/csv", lines.map((l) => l.map(cell).join(",")).join("\n") + "\n");
    });
  }

  // curves: [name, items per step, steps, unit, values] becomes points
  function unpacked([name, grid, steps, unit, values]) {
    const scale = 10 ** -unit;
    let at = 0;
    const points = steps.map((step, i) => [(at += step * grid), values[i] === null ? null : values[i] / scale]);
    return { name, points };
  }
  // bands: [name, items per step, steps, unit, low ends, unit, high ends] become pieces without a gap
  function pieces([name, grid, steps, unit, low, other, high]) {
    const made = [];
    let [at, open] = [0, null];
    steps.forEach((step, i) => {
      at += step * grid;
      if (low[i] === null || high[i] === null) { open = null; return; }
      if (!open) made.push(open = []);
      open.push([at, low[i] / 10 ** -unit, high[i] / 10 ** -other]);
    });
    return { name, pieces: made };
  }
  function nearest(points, x) {
    let [low, high] = [0, points.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (points[middle][0] < x) low = middle + 1; else high = middle;
    }
    if (low > 0 && x - points[low - 1][0] <= points[low][0] - x) low -= 1;
    return points[low];
  }

  for (const element of all(document, "section.stream")) {
    const section = sections[Number(element.dataset.section)];
    if (!section.panels.length) continue;
    // curves are drawn when scrolled near; in print, all of them
    const start = () => {
      seen.disconnect();
      window.removeEventListener("beforeprint", start);
      stream(element, section);
    };
    const seen = new IntersectionObserver((found) => { if (found.some((f) => f.isIntersecting)) start(); }, { rootMargin: "800px" });
    seen.observe(element);
    window.addEventListener("beforeprint", start);
  }

  function stream(element, section) {
    const hidden = new Set();
    const style = styles(section);
    const windows = all(element, "[data-window]");
    const reset = element.querySelector("[data-reset]");
    let window_ = (windows.find((b) => b.dataset.window.startsWith("sliding")) || windows[0]).dataset.window;
    let zoom = [0, 100];
    const cache = new Map();
    const end = Math.max(1, ...section.panels.flatMap((p) => Object.values(p.windows).flatMap(
      (lines) => lines.map(([, grid, steps]) => grid * steps.reduce((a, b) => a + b, 0)))));
    const panels = all(element, ".panels:not(.pending) > .panel").map((figure, i) => {
      const chart = echarts.init(figure.querySelector(".chart"), null, { renderer: "svg" });
      return { figure, chart, data: section.panels[i], first: i === 0 };
    });

    function lines(panel) {
      const key = `${panel.data.title}\n${window_}`;
      if (!cache.has(key)) cache.set(key, (panel.data.windows[window_] || []).map(unpacked));
      return cache.get(key).filter((line) => !hidden.has(line.name));
    }
    function bands(panel) {
      const key = `${panel.data.title}\n${window_}\nbands`;
      if (!cache.has(key)) cache.set(key, (panel.data.bands[window_] || []).map(pieces));
      return cache.get(key).filter((band) => !hidden.has(band.name));
    }
    function area(band, tint) {
      return {
        id: `band ${band.name}`, type: "custom", data: [[0, 0]], silent: true, animation: false, clip: true, z: 1,
        renderItem: (_, api) => ({
          type: "group",
          children: band.pieces.map((piece) => ({
            type: "polygon", silent: true, style: { fill: tint, opacity: 0.16 },
            shape: { points: [...piece.map(([x, low]) => api.coord([x, low])), ...[...piece].reverse().map(([x, , high]) => api.coord([x, high]))] },
          })),
        }),
      };
    }
    // one triangle per alarm, at the bottom of the panel
    function alarms(panel) {
      return Object.entries(section.alarms).filter(([name]) => !hidden.has(Number(name))).map(([name, items], row) => ({
        id: `alarms ${name}`, type: "scatter", yAxisIndex: 1, symbol: "triangle", symbolSize: panel.first ? 7 : 5, silent: true, animation: false, z: 4,
        itemStyle: { color: style[name].colour(), opacity: 0.85 },
        data: items.map((item) => [item + 1, 0.015 + 0.04 * row]),
      }));
    }
    function tip(panel, x) {
      const rows = lines(panel).filter((line) => line.points.length)
        .map((line) => [line.name, nearest(line.points, x)[1]])
        .sort((a, b) => (b[1] ?? -Infinity) - (a[1] ?? -Infinity))
        .map(([name, value]) => `<tr><td><i style="background:${style[name].colour()}"></i>${
          escaped(section.names[name])}</td><td>${shown(value, panel.data.kind)}</td></tr>`);
      return `<div class="tip"><b>${panel.data.axis.replace(/s$/, "")} ${grouped(x)}</b><table>${rows.join("")}</table></div>`;
    }
    function markers(width) {
      const space = width / Math.max(1, section.drifts.length);
      const name = ([, centre, , kind], i) => (space > 150 ? `${kind}, ${short(centre)}` : space > 64 ? short(centre) : space > 22 ? `${i + 1}` : "");
      const ink = colour("--soft");
      return {
        id: "drifts", type: "line", data: [], silent: true, animation: false,
        markLine: {
          silent: true, symbol: "none", animation: false,
          lineStyle: { color: ink, type: [4, 4], width: 1 },
          label: { show: true, position: "end", distance: 4, color: ink, fontSize: 11, formatter: (p) => p.name },
          data: section.drifts.map((d, i) => ({ xAxis: d[1], name: name(d, i) })),
        },
        markArea: {
          silent: true, animation: false, itemStyle: { color: colour("--band") },
          data: section.drifts.filter((d) => d[2] > d[0] + 1).map((d) => [{ xAxis: d[0] }, { xAxis: d[2] }]),
        },
      };
    }
    function option(panel) {
      const [ink, soft, grid] = ["--ink", "--soft", "--grid"].map(colour);
      const percent = panel.data.kind === "share";
      return {
        animation: false,
        aria: { enabled: false }, // the figure has a label; a list of 2,000 numbers is no help
        textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
        grid: { left: 8, right: 18, top: section.drifts.length ? 30 : 14, bottom: panel.first ? 46 : 8, outerBoundsMode: "same", outerBoundsContain: "axisLabel" },
        xAxis: {
          type: "value", min: 0, max: end,
          axisLine: { lineStyle: { color: grid } }, axisTick: { show: false }, splitLine: { show: false },
          axisLabel: { color: soft, formatter: short, hideOverlap: true, showMaxLabel: true, alignMaxLabel: "right", alignMinLabel: "left" },
          axisPointer: { label: { show: false } },
        },
        yAxis: [{
          type: "value", scale: true, ...ends(panel),
          axisLabel: { color: soft, formatter: (v) => (percent ? `${Number((100 * v).toFixed(2))}\u00a0%` : short_real(v)) },
          splitLine: { lineStyle: { color: grid } },
        }, { type: "value", min: 0, max: 1, show: false }],
        tooltip: {
          trigger: "axis", confine: true, transitionDuration: 0,
          axisPointer: { type: "line", snap: false, lineStyle: { color: soft, type: "solid" } },
          backgroundColor: colour("--card"), borderColor: colour("--rule"), padding: [8, 11],
          textStyle: { color: ink, fontSize: 12.5 },
          formatter: (found) => tip(panel, found[0].axisValue),
        },
        toolbox: { itemSize: 0, top: -40, feature: { dataZoom: { yAxisIndex: "none", brushStyle: { color: colour("--band"), borderColor: soft, borderWidth: 1 } } } },
        dataZoom: [
          { type: "inside", filterMode: "none", start: zoom[0], end: zoom[1], zoomOnMouseWheel: "ctrl", moveOnMouseMove: false, moveOnMouseWheel: false, minSpan: 0.2 },
          ...(panel.first ? [{
            type: "slider", filterMode: "none", start: zoom[0], end: zoom[1], height: 18, bottom: 8, left: 26, right: 26, minSpan: 0.2, showDetail: true, brushSelect: false,
            labelFormatter: (v) => short(v), textStyle: { color: soft, fontSize: 11 }, borderColor: grid, fillerColor: colour("--band"),
            backgroundColor: "transparent", dataBackground: { lineStyle: { opacity: 0 }, areaStyle: { opacity: 0 } },
            selectedDataBackground: { lineStyle: { opacity: 0 }, areaStyle: { opacity: 0 } },
            handleIcon: "path://M2,0h8a2,2,0,0,1,2,2v20a2,2,0,0,1,-2,2h-8a2,2,0,0,1,-2,-2v-20a2,2,0,0,1,2,-2zM4,7v10M8,7v10", handleSize: 22, handleStyle: { color: colour("--card"), borderColor: soft }, moveHandleSize: 0, showDataShadow: false,
          }] : []),
        ],
        series: [
          ...lines(panel).map((line) => ({
            id: `line ${line.name}`, name: section.names[line.name], type: "line", data: line.points,
            showSymbol: line.points.length === 1, symbolSize: 4, connectNulls: false, silent: true, animation: false,
            z: style[line.name].baseline ? 2 : 3,
            lineStyle: { width: (style[line.name].baseline ? 1.2 : 1.6) * (panel.first ? 1 : 0.8), type: style[line.name].dash, color: style[line.name].colour() },
            itemStyle: { color: style[line.name].colour() },
          })),
          ...bands(panel).map((band) => area(band, style[band.name].colour())),
          ...alarms(panel),
          ...(section.drifts.length ? [markers(panel.chart.getWidth() * 100 / Math.max(1, zoom[1] - zoom[0]))] : []),
        ],
      };
    }
    // bounds of the y axis in round steps; at most 1 for shares and indices
    function ends(panel) {
      const [low, high] = extent(panel);
      if (!(high > low)) return { min: null, max: null, interval: null };
      const one = panel.data.kind !== "number" && high > 0.8 && high <= 1;
      const top = one ? 1 : high;
      for (let size = 10 ** Math.floor(Math.log10((top - low) / 10)); ; size *= 10) {
        for (const interval of [size, 2 * size, 5 * size]) {
          const [from, to] = [Math.floor(low / interval + 1e-9), Math.ceil(top / interval - 1e-9)];
          const [min, max] = [from * interval, to * interval].map((v) => Number(v.toPrecision(12)));
          if (to - from <= (panel.first ? 7 : 6)) return { min, max, interval };
        }
      }
    }
    // the first values, over few items, vary strongly: they count only when zoomed in
    function extent(panel) {
      const [from, to] = zoom.map((share) => share * end / 100);
      const early = zoom[1] - zoom[0] < 50 ? 0 : EARLY * end;
      let [low, high] = [Infinity, -Infinity];
      for (const line of lines(panel)) {
        for (const [at, value] of line.points) {
          if (value === null || at < Math.max(from, early) || at > to) continue;
          [low, high] = [Math.min(low, value), Math.max(high, value)];
        }
      }
      for (const band of bands(panel)) {
        for (const [at, under, over] of band.pieces.flat()) {
          if (at < Math.max(from, early) || at > to) continue;
          [low, high] = [Math.min(low, under), Math.max(high, over)];
        }
      }
      return low < high ? [low, high] : [low - 0.05 * Math.abs(low || 1), high + 0.05 * Math.abs(high || 1)];
    }
    function short_real(v) { return Math.abs(v) >= 1e4 ? short(v) : String(Number(v.toPrecision(4))).replace("-", "−"); }
    function draw() {
      for (const panel of panels) {
        panel.chart.setOption(option(panel), { notMerge: true });
        // dragging selects a segment directly; on touch screens it scrolls the page
        if (!matchMedia("(pointer: coarse)").matches) {
          panel.chart.dispatchAction({ type: "takeGlobalCursor", key: "dataZoomSelect", dataZoomSelectActive: true });
        }
      }
      for (const b of windows) b.setAttribute("aria-pressed", String(b.dataset.window === window_));
      for (const b of all(element, ".keys button")) {
        b.setAttribute("aria-pressed", String(!hidden.has(Number(b.dataset.line))));
        b.querySelector("path").setAttribute("stroke", style[b.dataset.line].colour());
      }
      reset.hidden = zoom[0] <= 0 && zoom[1] >= 100;
      if (pending) pending.draw();
    }

    const pending = section.pending && pendingCharts(element, section, style, hidden);
    for (const keys of all(element, ".keys")) section.names.forEach((name, i) => {
      if (keys.dataset.of === "pending" && !section.pending.values.some(([line]) => line === i)) return;
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.line = i;
      const dash = { solid: "", dashed: "5 3", dotted: "2 3" }[style[i].dash] ?? "6 2 2 2";
      button.innerHTML = `<svg width="22" height="8" aria-hidden="true"><path d="M1 4H21" stroke-width="2.5" fill="none" stroke-dasharray="${dash}"/></svg>`;
      button.append(name);
      button.addEventListener("click", () => { if (!hidden.delete(i)) hidden.add(i); draw(); });
      keys.append(button);
    });
    for (const b of windows) b.addEventListener("click", () => { window_ = b.dataset.window; draw(); });

    // one zoom for all panels of a stream
    let following = false;
    function zoomed(start, end_) {
      zoom = [start, end_];
      following = true;
      for (const panel of panels) {
        panel.chart.dispatchAction({ type: "dataZoom", start, end: end_ });
        panel.chart.setOption({ yAxis: [ends(panel), {}] });
      }
      following = false;
      reset.hidden = start <= 0 && end_ >= 100;
    }
    for (const panel of panels) {
      panel.chart.on("datazoom", () => {
        if (following) return;
        const { start, end: end_ } = panel.chart.getOption().dataZoom[0];
        zoomed(start, end_);
      });
      panel.chart.getZr().on("dblclick", () => zoomed(0, 100));
      panel.figure.querySelector(".chart").addEventListener("keydown", (event) => {
        const [width, middle] = [zoom[1] - zoom[0], (zoom[0] + zoom[1]) / 2];
        const [by, shift] = { "+": [0.5, 0], "=": [0.5, 0], "-": [2, 0], ArrowLeft: [1, -0.25], ArrowRight: [1, 0.25], 0: [1e9, 0], Escape: [1e9, 0] }[event.key] || [0, 0];
        if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        const wide = Math.min(100, Math.max(0.2, width * by));
        const left = Math.min(100 - wide, Math.max(0, middle + shift * width - wide / 2));
        zoomed(left, left + wide);
      });
      panel.figure.querySelector("[data-save]").addEventListener("click", () => {
        const svg = panel.figure.querySelector("svg").cloneNode(true);
        svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
        save(`${section.stream}-${panel.data.title}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(svg));
      });
      new ResizeObserver(() => { panel.chart.resize(); }).observe(panel.figure);
    }
    reset.addEventListener("click", () => zoomed(0, 100));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    window.addEventListener("beforeprint", () => { draw(); [...panels, ...(pending ? pending.panels : [])].forEach(({ chart }) => chart.resize({ width: PAPER })); });
    window.addEventListener("afterprint", () => { draw(); [...panels, ...(pending ? pending.panels : [])].forEach(({ chart }) => chart.resize({ width: "auto" })); });
    draw();
    element.zoomed = zoomed;
    element.charts = panels.map((p) => p.chart);
  }

  // late labels: one line per learner over the bins at one point in time, and costs of repeated predictions
  function pendingCharts(element, section, style, hidden) {
    const found = section.pending;
    const slider = element.querySelector(".slider input");
    const output = element.querySelector(".slider output");
    const panels = all(element, ".pending > .panel").map((figure) => ({
      figure, what: figure.dataset.pending,
      chart: echarts.init(figure.querySelector(".chart"), null, { renderer: "svg" }),
    }));
    const costs = Object.fromEntries(Object.entries(found.costs).map(([cost, lines]) => [cost, lines.map(unpacked)]));
    // one axis for all points in time, so that the slider shows changes; it widens only for early values
    const every = found.values.flatMap(([, rows]) => rows.slice(Math.floor(rows.length / 5)).flat()).filter((v) => v !== null);
    const usual = [Math.min(...every), Math.max(...every)];
    function lines(what) {
      if (what !== "bins") return costs[what];
      const place = (b) => (b === 0 ? 0 : b > found.bins ? 100 : 100 * (b - 0.5) / found.bins);
      return found.values.map(([name, rows]) => ({ name, points: (rows[Math.min(Number(slider.value), rows.length - 1)] || []).map((v, b) => [place(b), v]) }));
    }
    function draw() {
      const [ink, soft, grid] = ["--ink", "--soft", "--grid"].map(colour);
      output.textContent = grouped(found.labels[Number(slider.value)] || 0);
      for (const { what, chart } of panels) {
        const bins = what === "bins";
        const kind = bins ? found.kind : "number";
        const percent = kind === "share";
        const shownLines = lines(what).filter((line) => !hidden.has(line.name));
        const now = bins ? shownLines.flatMap((line) => line.points.map(([, v]) => v)).filter((v) => v !== null) : [];
        const [low, high] = [Math.min(usual[0], ...now), Math.max(usual[1], ...now)];
        chart.setOption({
          animation: false, aria: { enabled: false },
          textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
          grid: { left: 8, right: 18, top: 14, bottom: 8, outerBoundsMode: "same", outerBoundsContain: "axisLabel" },
          xAxis: {
            type: "value", min: 0, max: bins ? 100 : "dataMax",
            axisLine: { lineStyle: { color: grid } }, axisTick: { show: false }, splitLine: { show: false },
            axisLabel: { color: soft, formatter: (v) => (bins ? `${v}\u00a0%` : short(v)), hideOverlap: true },
            axisPointer: { label: { show: false } },
          },
          yAxis: {
            type: "value", scale: true, ...(bins && high > low ? { min: low - 0.04 * (high - low), max: high + 0.04 * (high - low) } : {}),
            axisLabel: { color: soft, showMinLabel: !bins, showMaxLabel: !bins, formatter: (v) => (percent ? `${Number((100 * v).toFixed(1))}\u00a0%` : short(v)) },
            splitLine: { lineStyle: { color: grid } },
          },
          tooltip: {
            trigger: "axis", confine: true, transitionDuration: 0,
            axisPointer: { type: "line", snap: false, lineStyle: { color: soft, type: "solid" } },
            backgroundColor: colour("--card"), borderColor: colour("--rule"), padding: [8, 11], textStyle: { color: ink, fontSize: 12.5 },
            formatter: (at) => {
              const x = at[0].axisValue;
              const rows = shownLines.filter((line) => line.points.length).map((line) => {
                const [, value] = nearest(line.points, x);
                return `<tr><td><i style="background:${style[line.name].colour()}"></i>${escaped(section.names[line.name])}</td><td>${shown(value, kind)}</td></tr>`;
              });
              const head = bins ? `${Math.round(x)}\u00a0% of the label delay` : `event ${grouped(x)}`;
              return `<div class="tip"><b>${head}</b><table>${rows.join("")}</table></div>`;
            },
          },
          series: shownLines.map((line) => ({
            id: `line ${line.name}`, name: section.names[line.name], type: "line", data: line.points,
            showSymbol: bins, symbol: (_, p) => (bins && (p.dataIndex === 0 || p.dataIndex === found.bins + 1) ? "circle" : "none"), symbolSize: 6,
            connectNulls: false, silent: true, animation: false, z: style[line.name].baseline ? 2 : 3,
            lineStyle: { width: style[line.name].baseline ? 1.2 : 1.6, type: style[line.name].dash, color: style[line.name].colour() },
            itemStyle: { color: style[line.name].colour() },
          })),
        }, { notMerge: true });
      }
    }
    slider.addEventListener("input", draw);
    for (const { figure, chart, what } of panels) {
      new ResizeObserver(() => { chart.resize(); }).observe(figure);
      figure.querySelector('[data-save="pending"]').addEventListener("click", () => {
        const svg = figure.querySelector("svg").cloneNode(true);
        svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
        save(`${section.stream}-${what}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(svg));
      });
    }
    return { draw, panels };
  }

  // duration against loss: a colour per learner, a symbol per setting; open points have not recovered
  const SYMBOLS = ["circle", "rect", "diamond", "triangle", "roundRect", "pin", "arrow"];
  const place = document.querySelector("#scatter .chart");
  if (place) {
    const points = JSON.parse(document.getElementById("scatter-data").textContent);
    const unique = (key) => [...new Set(points.map((p) => p[key]))];
    const [learners, settings] = [unique("learner"), unique("setting")];
    const chart = echarts.init(place, null, { renderer: "svg" });
    const percent = (v) => shown(v, "share");
    const interval = (low, high) => (low === null || high === null ? "" : ` (${percent(low)} to ${percent(high)})`);
    const drawScatter = () => {
      const [ink, soft, grid] = ["--ink", "--soft", "--grid"].map(colour);
      const axis = (name) => ({
        type: "value", scale: true, name, nameLocation: "middle", nameGap: 34, nameTextStyle: { color: soft },
        axisLine: { lineStyle: { color: grid } }, splitLine: { lineStyle: { color: grid } },
        axisLabel: { color: soft, formatter: (v) => `${Number((100 * v).toFixed(2))}\u00a0%` },
      });
      chart.setOption({
        animation: false, aria: { enabled: false },
        textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
        legend: { type: "scroll", top: 0, textStyle: { color: ink }, data: learners },
        grid: { left: 44, right: 24, top: 40, bottom: 44, outerBoundsMode: "same", outerBoundsContain: "axisLabel" },
        xAxis: axis("duration, share of the stream"), yAxis: axis("maximum performance loss"),
        tooltip: {
          trigger: "item", confine: true, transitionDuration: 0, backgroundColor: colour("--card"),
          borderColor: colour("--rule"), padding: [8, 11], textStyle: { color: ink, fontSize: 12.5 },
          formatter: ({ data: { point: p } }) => `<div class="tip"><b>${escaped(p.learner)}</b><br>${escaped(p.setting)}<br>duration ${
            p.censored ? "at least " : ""}${percent(p.duration)}${interval(p.duration_low, p.duration_high)}<br>loss ${
            percent(p.loss)}${interval(p.loss_low, p.loss_high)}</div>`,
        },
        series: learners.map((learner, n) => ({
          name: learner, type: "scatter", symbolSize: 11, color: colour(`--c${n % 7}`),
          data: points.filter((p) => p.learner === learner && p.duration !== null && p.loss !== null).map((p) => ({
            value: [p.duration, p.loss], point: p, symbol: SYMBOLS[settings.indexOf(p.setting) % SYMBOLS.length],
            itemStyle: p.censored ? { color: colour("--card"), borderColor: colour(`--c${n % 7}`), borderWidth: 2 } : {},
          })),
        })),
      }, { notMerge: true });
    };
    drawScatter();
    new ResizeObserver(() => { chart.resize(); }).observe(place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawScatter);
    window.addEventListener("beforeprint", () => { drawScatter(); chart.resize({ width: PAPER }); });
    window.addEventListener("afterprint", () => { drawScatter(); chart.resize({ width: "auto" }); });
    document.querySelector('[data-save="scatter"]').addEventListener("click", () => {
      const svg = place.querySelector("svg").cloneNode(true);
      svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
      save("duration-and-loss.svg", "image/svg+xml", new XMLSerializer().serializeToString(svg));
    });
  }

  // colours repeat with another dash; baselines are grey
  function styles(section) {
    let [learners, baselines] = [0, 0];
    return section.names.map((_, i) => {
      if (section.baselines.includes(i)) {
        return { baseline: true, dash: ["dashed", "dotted", [8, 3, 2, 3]][baselines++ % 3], colour: () => colour("--baseline") };
      }
      const n = learners++;
      return { baseline: false, dash: DASHES[Math.floor(n / 7) % 4], colour: () => colour(`--c${n % 7}`) };
    });
  }
})();
