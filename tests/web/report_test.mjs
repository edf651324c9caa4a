// `lithe report` as its reader meets it: Chromium opens the page from disk, without network, and what is on the screen is compared
// with the results file by way of `lithe export` and with geometry worked out here.
//
//   node report_test.mjs LITHE NODE_MODULES_FOLDER [CHROMIUM] [FOLDER FOR PICTURES]
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {browserOptions, columnsOf, distance, near, nearShown, shownNumber} from './witness.mjs';

const [lithe, modules, chromiumFile = '/usr/bin/chromium', pictures] = process.argv.slice(2);
if (existsSync(join(modules, 'not_fetched'))) process.exit(77); // npm could not fetch the page: nothing to test
const load = createRequire(join(resolve(modules), 'x.js'));
const {chromium} = load('playwright-core');
const esbuild = load('esbuild');

// A stiff link that a bending one hangs on: where everything is follows from joint angles and recorded deflections by hand.
const lengths = [0.8, 1.2];
const caseText = `arm:
  gravity: [0, 0, -9.81]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}
      beam: {length: ${lengths[0]} m, material: aluminium, section: {tube: {outer_diameter: 60 mm, inner_diameter: 50 mm}}, flexibility: rigid}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0]}
      beam:
        length: ${lengths[1]} m
        material: aluminium
        section: {rectangle: {width_y: 40 mm, height_z: 12 mm}}
        flexibility: {modes: {bending_z: 2}}
      payload: {mass: 0.4 kg}
initial: {shoulder: 50 deg, elbow: -60 deg, deformation: static}
motion:
  shoulder: {cycloidal: {to: 80 deg, in: 1 s}}
  elbow: {cycloidal: {to: -100 deg, in: 1.2 s}}
simulate: {for: 3 s, output_step: 5 ms}
`;

// A stiff wing at a wall that pitches in a wind.
const wingText = `arm:
  gravity: [0, 0, 0]
  base: {type: fixed, origin: {rpy: [0, 0, 90 deg]}}
  links:
    - name: wing
      joint: {name: pitch, type: revolute, axis: [1, 0, 0]}
      rigid: {length: 2, mass: 5, com: [1, 0, 0], inertia: {xx: 0.3, yy: 4, zz: 4.2}}
      surface: {chord: 0.5, axis: 0.25, panels_chord: 2, panels_span: 3}
motion: {pitch: {cycloidal: {to: 25 deg, in: 0.4 s}}}
wind: {speed: 5, incidence: 0.1, wake_length: 5, mirror: [0, 1, 0]}
simulate: {for: 0.6 s, output_step: 10 ms}
`;

const folder = mkdtempSync(join(tmpdir(), 'lithe-report-'));
const at = (name) => join(folder, name);
const call = (...words) => execFileSync(lithe, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});

const table = (results) => columnsOf(call, results, at('export.csv'));

let page;
const problems = [];
async function open(browser, file, viewport = {width: 1400, height: 900}, colorScheme = 'light') {
  const context = await browser.newContext({viewport, colorScheme, offline: true, acceptDownloads: true});
  page = await context.newPage();
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`asks the network for ${request.url()}`);
  });
  page.on('pageerror', (error) => problems.push(`fails: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`complains: ${message.text()}`);
  });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector('html[data-ready]', {timeout: 60000});
}
const script = (expression) => page.evaluate(`litheReport.${expression}`);
const time = async () => Number(await page.getAttribute('.clock', 'data-t'));
/// Two pictures later, what was asked for is on the screen.
const settle = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
async function seekRow(columns, row) {
  await script(`seek(${columns.t[row]})`);
  await settle();
}
const reading = (name) => page.textContent(`[data-reading="${name}"]`);
/// A value in the plots; only those in sight are kept up to date.
async function chip(name, run = 0) {
  const value = page.locator(`.chip[data-name="${name}"] .value[data-run="${run}"]`);
  await value.scrollIntoViewIfNeeded();
  await settle();
  return value.textContent();
}
async function exaggerate(index) {
  await page.locator('#exaggeration').fill(String(index));
  await settle();
}

/// Colours of the page at places, from a picture of it that a page of its own reads.
async function colours(places) {
  const png = (await page.screenshot()).toString('base64');
  const reader = await page.context().newPage();
  const found = await reader.evaluate(
    async ({source, places}) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      const context = canvas.getContext('2d', {willReadFrequently: true});
      context.drawImage(image, 0, 0);
      return places.map(([x, y]) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)]);
    },
    {source: png, places},
  );
  await reader.close();
  return found;
}
/// Where a point of the world is on the page, by the view's matrix.
async function projector() {
  const m = await script('worldToClip()');
  const view = await script('view()');
  return ([x, y, z]) => {
    const clip = [0, 1, 2, 3].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
    return [view.left + ((clip[0] / clip[3] + 1) / 2) * view.width, view.top + ((1 - clip[1] / clip[3]) / 2) * view.height];
  };
}
const checks = {
  async 'thinning keeps every peak where it was'() {
    const out = at('thin.mjs');
    await esbuild.build({entryPoints: [join(modules, 'src', 'thin.ts')], bundle: true, format: 'esm', outfile: out, logLevel: 'error'});
    const {thinned} = await import(pathToFileURL(out).href);
    const rows = 60001;
    const t = Float64Array.from({length: rows}, (_, i) => i / 1000);
    const values = Float32Array.from(t, (x) => Math.sin(3 * x));
    const spikes = [17, 4321, 30000, 59990];
    spikes.forEach((row, k) => (values[row] = k % 2 ? -9 - k : 9 + k)); // one row wide each
    const buckets = 700;
    const drawn = thinned(t, values, 0, 60, buckets);
    assert.equal(drawn.length, 2 * buckets);
    for (const row of spikes) {
      const bucket = Math.min(Math.floor((t[row] / 60) * buckets), buckets - 1);
      assert.ok([drawn[2 * bucket], drawn[2 * bucket + 1]].includes(values[row]), `the peak at ${t[row]} s`);
    }
    for (let b = 0; b < buckets; ++b) {
      const inside = values.subarray(...[b, b + 1].map((k) => Math.ceil((k * 60000) / buckets - 1e-9)));
      assert.equal(Math.min(drawn[2 * b], drawn[2 * b + 1]), Math.min(...inside), `least of bucket ${b}`);
    }
  },

  async 'a gap of measured data stays one beside a run, short or long'() {
    const out = at('plot_data.mjs');
    await esbuild.build({entryPoints: [join(modules, 'src', 'plot_data.ts')], bundle: true, format: 'esm', outfile: out, logLevel: 'error'});
    const {plotData} = await import(pathToFileURL(out).href);
    const measured = {time: Float64Array.of(0.5, 10.25, 20.125, 40)};
    const lab = {run: measured, values: Float64Array.of(2, NaN, 6, 8), factor: 2};
    for (const rows of [61, 60001]) {
      const run = {time: Float64Array.from({length: rows}, (_, i) => (i * 60) / (rows - 1))};
      const curve = {run, values: Float64Array.from(run.time, (t) => t / 10), factor: 1};
      const [times, drawn, points] = plotData([curve, lab], [0, 60], 700);
      assert.ok(times.length < 2000);
      assert.ok(times.every((t, i) => i === 0 || t > times[i - 1]));
      const seen = times.flatMap((t, i) => (points[i] == null ? [] : [[t, points[i]]]));
      assert.deepEqual(seen, [[0.5, 1], [20.125, 3], [40, 4]], `${rows} rows`);
      // Null is a gap; undefined is a time of the other run.
      times.forEach((t, i) => {
        if (t > 0.5 && t < 20.125) assert.equal(points[i], null, `the gap at ${t} s`);
        if (t > 20.125 && t < 40) assert.equal(points[i], undefined, `no gap at ${t} s`);
      });
      times.forEach((t, i) => drawn[i] != null && assert.ok(Math.abs(drawn[i] - t / 10) < 0.01, `the run at ${t} s`));
    }
  },

  // A corner that two links carry by halves: one turned by hand, the other bent on top of it.
  async 'corners of lifting surfaces go with the links that carry them'() {
    const out = join(folder, 'kinematics.mjs');
    await esbuild.build({entryPoints: [join(modules, 'src', 'kinematics.ts')], bundle: true, format: 'esm', outfile: out, logLevel: 'error'});
    const {Kinematics} = await import(pathToFileURL(out).href);
    const still = [0, 0, 0, 1, 0, 0, 0];
    const hinge = {nq: 1, nv: 1, group: 'none', coordinates: ['a'], steps: [{kind: 'turn', axis: [0, 0, 1], index: 0, factor: 1}], glyphs: [], slides: false};
    const fixed = {nq: 0, nv: 0, group: 'none', coordinates: [], steps: [], glyphs: [], slides: false};
    const scene = {
      root: {pose: still},
      links: [
        {parent: -1, joint: hinge, q0: 0, X_PF: still, X_BT: [2, 0, 0, 1, 0, 0, 0]},
        {parent: 0, joint: fixed, q0: 1, X_PF: still, X_BT: still, flex: {size: 1, tip: [1, 0, 0], phi: [0, 0, 1], psi: [0, -1, 0]}},
      ],
    };
    const kinematics = new Kinematics(scene);
    const [angle, bend, factor] = [0.7, 0.05, 3];
    const q = Float64Array.of(angle, bend);
    kinematics.update(q, 0, factor);
    const corner = new Float32Array(6);
    kinematics.corner([{link: 0, weight: 0.5, place: [2, 0.4, 0]}, {link: 1, weight: 0.5, place: [0.5, 0.2, 0], shape: [0, 0.1, 0.5]}], q, factor, corner, 3);
    const first = [2 * Math.cos(angle) - 0.4 * Math.sin(angle), 2 * Math.sin(angle) + 0.4 * Math.cos(angle), 0];
    const across = 0.2 + 0.1 * factor * bend;
    // A hinge turns by its whole angle, whatever deformation is multiplied by; a bent link counts `factor` times.
    const second = [2.5 * Math.cos(angle) - across * Math.sin(angle), 2.5 * Math.sin(angle) + across * Math.cos(angle), 0.5 * factor * bend];
    for (let c = 0; c < 3; ++c) near(corner[3 + c], (first[c] + second[c]) / 2, 1e-6, `corner ${c}`);
    assert.deepEqual([...corner.slice(0, 3)], [0, 0, 0]);
  },

  // Every point of the sheet left the trailing edge, turned by hand, and has gone on with the wind since.
  async 'the wake is where the wind has carried it, and has a switch'(browser) {
    const wing = table(at('wing'));
    await open(browser, at('wing.html'));
    await page.waitForFunction(() => litheReport.wake(0) !== undefined);
    const [speed, incidence, edge, rows, columns] = [5, 0.1, 0.375, 20, 3];
    const step = (5 * 0.5) / speed / rows;
    const angleAt = (t) => {
      const i = Math.max(0, wing.t.findLastIndex((one) => one <= t + 1e-12));
      if (i + 1 >= wing.t.length) return wing.pitch[i];
      return wing.pitch[i] + ((Math.max(t, 0) - wing.t[i]) / (wing.t[i + 1] - wing.t[i])) * (wing.pitch[i + 1] - wing.pitch[i]);
    };
    for (const row of [0, 23, 60]) {
      await seekRow(wing, row);
      const places = await script('wake(0)');
      assert.equal(places.length, 3 * (rows + 1) * (columns + 1));
      for (let k = 0; k <= rows; ++k) {
        const angle = angleAt(wing.t[row] - k * step);
        for (let j = 0; j <= columns; ++j) {
          const [x, , z] = places.slice(3 * (k * (columns + 1) + j));
          near(x, edge * Math.cos(angle) + speed * k * step * Math.cos(incidence), 1e-6, `x of row ${k} at ${wing.t[row]} s`);
          near(z, -edge * Math.sin(angle) + speed * k * step * Math.sin(incidence), 1e-6, `z of row ${k} at ${wing.t[row]} s`);
        }
      }
    }
    const control = page.locator('[data-option="wake"]');
    assert.equal(await control.getAttribute('aria-pressed'), 'true');
    const canvas = page.locator('canvas').first();
    const before = await canvas.screenshot();
    if (pictures) await page.screenshot({path: join(pictures, 'wake.png')});
    await page.keyboard.press('w');
    await settle();
    assert.equal(await control.getAttribute('aria-pressed'), 'false');
    assert.equal(await script('wake(0)'), undefined);
    assert.notDeepEqual(await canvas.screenshot(), before, 'the sheet is drawn');
    await control.click();
    await settle();
    assert.equal((await script('wake(0)')).length, 3 * (rows + 1) * (columns + 1));
    await page.context().close();
    await open(browser, at('a.html'));
    assert.equal(await page.locator('[data-option="wake"]').count(), 0, 'no switch without wakes');
    await page.context().close();
  },

  async 'numbers on the screen are those of the file'(browser, a) {
    await open(browser, at('a.html'));
    for (const control of ['.run-control', '.case-editor', '.pose', '.kept-run']) assert.equal(await page.locator(control).count(), 0, `${control} belongs to the viewer`);
    for (const row of [0, 137, 260, 600]) {
      await seekRow(a, row);
      near(await time(), a.t[row], 1e-12, 'time');
      for (const axis of ['x', 'y', 'z']) near(shownNumber(await reading(`0.${axis}`), 'm'), a[`tip.${axis}`][row], 6e-5, `tip.${axis}`);
      const error = Math.hypot(...['x', 'y', 'z'].map((axis) => a[`tip_error.${axis}`][row]));
      nearShown(shownNumber(await reading('0.error'), 'm'), error, 'tip error');
      for (const [name, unit] of [['tip_error.x', 'm'], ['elbow', 'rad'], ['shoulder.torque', 'N·m'], ['energy.kinetic', 'J']]) {
        const largest = Math.max(...a[name].map(Math.abs));
        near(shownNumber(await chip(name), unit), a[name][row], 6e-5 * largest, name);
      }
    }
  },

  async 'the page places the arm as the program does, also exaggerated, and its ghost'(browser, a) {
    for (const row of [1, 100, 210, 355, 600]) {
      await seekRow(a, row);
      const tip = ['x', 'y', 'z'].map((axis) => a[`tip.${axis}`][row]);
      const error = ['x', 'y', 'z'].map((axis) => a[`tip_error.${axis}`][row]);
      assert.ok(Math.hypot(...error) > 1e-4, 'the arm must bend, or this check cannot fail');
      near(distance(await script('tip(0, 1)'), tip), 0, 1e-9, 'tip');
      near(distance(await script('rigidTip()'), tip.map((x, c) => x - error[c])), 0, 1e-9, 'ghost');
      // Only the last link bends, so its tip moves in proportion.
      near(distance(await script('tip(0, 20)'), tip.map((x, c) => x + 19 * error[c])), 0, 1e-8, 'tip, 20 times bent');
    }
  },

  async 'links, joints and ghost are where geometry has them on the screen'(browser, a) {
    const row = 150;
    await seekRow(a, row);
    await page.keyboard.press('2');
    await page.keyboard.press('t'); // nothing but the arm
    const [q1, q2] = [a.shoulder[row], a.elbow[row]];
    const elbow = [lengths[0] * Math.cos(q1), 0, lengths[0] * Math.sin(q1)];
    const along = (x, u) => [elbow[0] + x * Math.cos(q1 + q2) - u * Math.sin(q1 + q2), 0, elbow[2] + x * Math.sin(q1 + q2) + u * Math.cos(q1 + q2)];
    const u = a['fore@0.5.uz'][row];
    const factor = 10;
    await exaggerate(5);
    assert.equal(await page.textContent('.exaggeration output'), `×${factor}`);
    const place = await projector();
    const bent = place(along(lengths[1] / 2, factor * u));
    const straight = place(along(lengths[1] / 2, 0));
    assert.ok(distance(bent, straight) > 12, `ghost and link must be apart on the screen, are ${distance(bent, straight)} pixels`);
    // Beyond half the width of the section there is nothing.
    const beside = [-1, 1].map((side) =>
      place([0.5 * elbow[0] - side * 0.045 * Math.sin(q1), 0, 0.5 * elbow[2] + side * 0.045 * Math.cos(q1)]),
    );
    const upper = [0.3, 0.5, 0.7].map((share) => place(elbow.map((c) => c * share)));
    const [background, link, joint, ghost, ...rest] = await colours([place([0.9, 0, 1.1]), bent, place(elbow), straight, ...upper, ...beside]);
    const differs = (colour) => distance(colour, background) > 40;
    const blue = ([r, , b]) => b > r + 40;
    assert.ok(background.every((c) => c > 225), `background ${background}`);
    assert.ok(rest.slice(0, 3).every(blue), `upper link ${rest.slice(0, 3)}`);
    assert.ok(blue(link), `bent link ${link} at ${bent}`);
    assert.ok(differs(joint) && !blue(joint), `joint ${joint}`);
    assert.ok(distance(ghost, background) > 15 && !blue(ghost), `ghost ${ghost}`);
    assert.ok(!rest.slice(3).some(differs), `beside the upper link: ${rest.slice(3)}`);
    await page.keyboard.press('g');
    await settle();
    const [gone] = await colours([straight]);
    assert.ok(distance(gone, background) < 15, 'the ghost must go when switched off');
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.keyboard.press('1');
    await exaggerate(1);
  },

  async 'it plays, pauses, scrubs, steps and changes speed'(browser, a) {
    await script('seek(0)');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => Number(document.querySelector('.clock').dataset.t) > 0.3, undefined, {timeout: 30000});
    await page.keyboard.press('Space');
    const paused = await time();
    await page.waitForTimeout(250);
    assert.equal(await time(), paused, 'paused time must stand still');
    const box = await page.locator('.scrub').boundingBox();
    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height / 2);
    near(await time(), 1.5, 0.03, 'time after a click in the middle of the scrubber');
    await seekRow(a, 40);
    await page.keyboard.press('ArrowRight');
    near(await time(), a.t[41], 1e-12, 'one row ahead');
    await page.keyboard.press('Shift+ArrowLeft');
    near(await time(), a.t[31], 1e-12, 'ten rows back');
    assert.equal(await page.textContent('.speed'), '1×');
    await page.keyboard.press('[');
    assert.equal(await page.textContent('.speed'), '0.5×');
    await page.click('[aria-label^="Faster"]');
    assert.equal(await page.textContent('.speed'), '1×');
    await page.keyboard.press('End');
    near(await time(), 3, 1e-12, 'end');
  },

  async 'plots seek, zoom, take any series and export every row'(browser, a) {
    const over = page.locator('.panel').first().locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    const across = (share) => box.x + box.width * share;
    await page.mouse.click(across(0.25), box.y + 60);
    near(await time(), 0.75, 0.02, 'time after a click on a plot');
    await page.mouse.move(across(0.2), box.y + 60);
    await page.mouse.down();
    await page.mouse.move(across(0.4), box.y + 60, {steps: 4});
    await page.mouse.up();
    const whole = page.getByRole('button', {name: /Show the whole run/});
    assert.ok(await whole.isEnabled(), 'a drag must zoom');
    await page.mouse.click(across(0.5), box.y + 60); // now the middle of 0.6 s to 1.2 s
    near(await time(), 0.9, 0.02, 'time after a click on a zoomed plot');

    const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('.panel').first().getByLabel(/Save this panel/).click()]);
    const lines = readFileSync(await saved.path(), 'utf8').trim().split('\n');
    assert.equal(lines[0].split(',')[0], 't [s]');
    const inside = a.t.flatMap((t, row) => (t > 0.62 && t < 1.18 ? [row] : []));
    const rows = lines.slice(1).map((line) => line.split(',').map(Number));
    const column = lines[0].split(',').findIndex((name) => name === 'tip_error.x [m]');
    assert.ok(column > 0, lines[0]);
    for (const row of inside) {
      const found = rows.find(([t]) => Math.abs(t - a.t[row]) < 1e-9);
      assert.ok(found, `the export must hold t = ${a.t[row]}`);
      near(found[column], a['tip_error.x'][row], 1e-7 * Math.abs(a['tip_error.x'][row]) + 1e-12, 'exported value');
    }
    assert.ok(rows.length <= inside.length + 20, `only rows in view: ${rows.length}`);
    await whole.click();

    const before = await page.locator('.panel').count();
    await page.getByRole('button', {name: 'Add a panel'}).click();
    await page.getByPlaceholder(/Search \d+ series/).fill('fore 1 rate');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chip[data-name="fore.1.rate"] .value');
    assert.equal(await page.locator('.panel').count(), before + 1);
    await seekRow(a, 123);
    near(shownNumber(await chip('fore.1.rate'), 'm/s'), a['fore.1.rate'][123], 6e-5 * Math.max(...a['fore.1.rate'].map(Math.abs)), 'added series');
  },

  async 'summary, modes and case tell what the program tells'(browser, a) {
    await page.click('#tab-summary');
    const peak = a['tip_error.z'].reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most));
    const cell = page.locator('tr', {has: page.locator('td', {hasText: /^tip_error\.z$/})}).locator('.seek');
    nearShown(shownNumber((await cell.evaluate((node) => node.firstChild.textContent)), 'm'), peak, 'peak');
    await cell.click();
    near(await time(), a.t[a['tip_error.z'].indexOf(peak)], 1e-12, 'time of the peak');
    await page.click('#tab-modes');
    const frequencies = JSON.parse(call('modes', at('case.yaml'), '--json')).frequencies_hz;
    const shown = await page.locator('.mode .number').allTextContents();
    assert.equal(shown.length, frequencies.length);
    shown.forEach((text, k) => nearShown(shownNumber(text, 'Hz'), frequencies[k], `mode ${k + 1}`));
    await page.locator('.mode').first().click();
    assert.equal(await page.locator('.mode').first().getAttribute('aria-pressed'), 'true');
    const first = await page.locator('.view').screenshot();
    await page.waitForTimeout(400);
    assert.notDeepEqual(await page.locator('.view').screenshot(), first, 'a mode must swing');
    await page.getByRole('button', {name: 'Back to the run'}).click();
    await page.click('#tab-case');
    assert.equal((await page.textContent('.case pre')).trim(), call('info', at('a'), '--case').trim());
    await page.click('#tab-plots');
  },

  async 'light and dark, and no panel wider than a phone'(browser) {
    assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
    await page.keyboard.press('d');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    if (pictures) await page.screenshot({path: join(pictures, 'dark.png')});
    await page.context().close();
    await open(browser, at('ab.html'), {width: 390, height: 844}, 'dark');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark', 'the reader prefers dark');
    for (const tab of ['plots', 'summary', 'modes', 'case']) {
      await page.click(`#tab-${tab}`);
      const {inner, needed} = await page.evaluate(() => ({inner: innerWidth, needed: document.scrollingElement.scrollWidth}));
      assert.ok(needed <= inner, `${tab} is ${needed} wide on a screen of ${inner}`);
    }
    if (pictures) await page.screenshot({path: join(pictures, 'phone.png')});
    await page.context().close();
  },

  async 'an elastic joint deforms against its rotor'(browser) {
    const drives = ['motion: {hub: {cycloidal: {to: 70 deg, in: 1 s}}}', 'torque: {hub: 10 N.m}'];
    for (const [k, drive] of drives.entries()) {
      const name = at(`elastic${k}`);
      writeFileSync(
        `${name}.yaml`,
        `arm:
  gravity: [0, 0, 0]
  links:
    - name: bar
      joint: {name: hub, type: revolute, axis: [0, 0, 1], motor: {inertia: 1, stiffness: 300 N.m/rad}}
      rigid: {length: 1.5, mass: 2, com: [0.75, 0, 0]}
${drive}
simulate: {for: 2 s}
`,
      );
      call('run', `${name}.yaml`, '-o', name);
      call('report', name, '-o', `${name}.html`);
      const columns = table(name);
      await open(browser, `${name}.html`);
      for (const row of [120, 180, 430]) {
        await seekRow(columns, row);
        const [joint, rotor] = [columns.hub[row], columns['hub.motor'][row]];
        assert.ok(Math.abs(joint - rotor) > 1e-4, `the joint must give way, or this check cannot fail: ${joint - rotor}`);
        const turned = (angle) => [1.5 * Math.cos(angle), 1.5 * Math.sin(angle), 0];
        near(distance(await script('tip(0, 1)'), turned(joint)), 0, 1e-9, 'tip');
        near(distance(await script('tip(0, 7)'), turned(rotor + 7 * (joint - rotor))), 0, 1e-9, 'tip, deflected 7 times');
        const rigidTip = ['x', 'y', 'z'].map((axis) => columns[`tip.${axis}`][row] - columns[`tip_error.${axis}`][row]);
        near(distance(await script('rigidTip()'), rigidTip), 0, 1e-9, `ghost under ${drive}`);
      }
      await page.context().close();
    }
  },

  async 'a base that moves by profiles is where the run recorded it'(browser) {
    writeFileSync(
      at('ship.yaml'),
      `arm:
  base:
    type: moving
    origin: {xyz: [0.2, -0.1, 0.5], rpy: [0.1, 0.2, 3]}
    motion:
      y: {trapezoidal_velocity: {to: 0.6 m, in: 1 s}}
      z: {sinusoid: {amplitude: 0.2 m, frequency: 1 Hz}}
      roll: {sinusoid: {amplitude: 40 deg, frequency: 0.7 Hz}}
      yaw: {cycloidal: {to: 170 deg, in: 1.5 s}}
  links:
    - name: mast
      joint: {name: hinge, type: revolute, axis: [0, -1, 0], spring: {stiffness: 80}}
      beam: {length: 1 m, material: aluminium, section: {rectangle: {width_y: 30 mm, height_z: 10 mm}}, flexibility: {modes: {bending_z: 1}}}
initial: {hinge: 40 deg}
simulate: {for: 2 s, output_step: 10 ms}
`,
    );
    call('run', at('ship.yaml'), '-o', at('ship'));
    call('report', at('ship'), '-o', at('ship.html'));
    const ship = table(at('ship'));
    await open(browser, at('ship.html'));
    for (const row of [0, 37, 100, 149, 200]) {
      await seekRow(ship, row);
      const tip = ['x', 'y', 'z'].map((axis) => ship[`tip.${axis}`][row]);
      near(distance(await script('tip(0, 1)'), tip), 0, 1e-6, 'tip'); // the page has the base in single precision
    }
    assert.ok(Math.abs(ship['base.y'][200] - ship['base.y'][0]) > 0.5, 'the base must move, or this check cannot fail');
    await page.context().close();
  },

  async 'no line is drawn across a gap of measured data'(browser) {
    writeFileSync(at('lab.csv'), 't [s],tip.z [m]\n0,5\n1,5\n1.5,\n2,5\n3,5\n');
    call('report', at('a'), '--measured', at('lab.csv'), '-o', at('lab.html'));
    await open(browser, at('lab.html'));
    // How many points between two times have a colour, in the upper half of the plot: the arm stays in the lower one.
    const coloured = (from, to) =>
      page.evaluate(
        ([from, to]) => {
          const panel = [...document.querySelectorAll('.panel')].find((one) => one.textContent.includes('Measured'));
          const canvas = panel.querySelector('canvas');
          const [all, over] = [canvas, panel.querySelector('.u-over')].map((one) => one.getBoundingClientRect());
          const ratio = canvas.width / all.width;
          const x = (t) => Math.round((over.left - all.left + (t / 3) * over.width) * ratio);
          const {data} = canvas.getContext('2d').getImageData(x(from), Math.round((over.top - all.top) * ratio), x(to) - x(from), Math.round((over.height / 2) * ratio));
          let count = 0;
          for (let i = 0; i < data.length; i += 4) {
            const rgb = data.slice(i, i + 3);
            if (data[i + 3] > 20 && Math.max(...rgb) - Math.min(...rgb) > 40) ++count;
          }
          return count;
        },
        [from, to],
      );
    await page.waitForFunction(() => [...document.querySelectorAll('.panel')].some((one) => one.textContent.includes('Measured') && one.querySelector('canvas')));
    assert.ok((await coloured(0.2, 0.8)) > 20, 'a line between two rows');
    assert.ok((await coloured(2.2, 2.8)) > 20, 'and behind the gap');
    assert.equal(await coloured(1.1, 1.9), 0, 'none across the gap');
    if (pictures) await page.screenshot({path: join(pictures, 'measured.png')});
    await page.context().close();
  },

  async 'two runs overlay'(browser, a, b) {
    await open(browser, at('ab.html'));
    const row = 222;
    await seekRow(a, row);
    for (const [run, columns] of [a, b].entries()) {
      near(shownNumber(await reading(`${run}.x`), 'm'), columns['tip.x'][row], 6e-5, `tip.x of run ${run}`);
      near(shownNumber(await chip('tip_error.z', run), 'm'), columns['tip_error.z'][row], 6e-5 * Math.max(...columns['tip_error.z'].map(Math.abs)), `tip_error.z of run ${run}`);
      near(distance(await script(`tip(${run}, 1)`), ['x', 'y', 'z'].map((axis) => columns[`tip.${axis}`][row])), 0, 1e-9, `tip of run ${run}`);
    }
    assert.ok(Math.abs(a['tip_error.z'][row] - b['tip_error.z'][row]) > 1e-4, 'the runs must differ');
    if (pictures) await page.screenshot({path: join(pictures, 'compare.png')});
    await page.click('.legend button:nth-child(2)');
    assert.equal(await page.locator('.chip[data-name="tip_error.z"] .value').count(), 1, 'a hidden run has no value in the plots');
    await page.click('#tab-case');
    assert.ok((await page.locator('.line.differs').allTextContents()).some((line) => line.includes('length') || line.includes('E:')), 'what differs is marked');
    await page.context().close();
  },
};

writeFileSync(at('case.yaml'), caseText);
let failed = 0;
let browser;
try {
  call('run', at('case.yaml'), '-o', at('a'));
  call('run', at('case.yaml'), '--set', 'links[1].beam.material={E: 30 GPa, nu: 0.33, density: 2700 kg/m^3}', '-o', at('b'));
  call('report', at('a'), '-o', at('a.html'));
  call('report', at('a'), at('b'), '-o', at('ab.html'));
  writeFileSync(at('wing.yaml'), wingText);
  call('run', at('wing.yaml'), '-o', at('wing'));
  call('report', at('wing'), '--wake', '-o', at('wing.html'));
  const [a, b] = [table(at('a')), table(at('b'))];
  browser = await chromium.launch(browserOptions(chromiumFile));
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(browser, a, b);
      assert.deepEqual(problems.splice(0), []);
      console.log(`ok      ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n        ${error.message}\n${String(error.stack).split('\n').slice(1, 4).join('\n')}`);
    }
  }
} finally {
  await browser?.close();
  rmSync(folder, {recursive: true, force: true});
}
process.exitCode = failed > 0 ? 1 : 0;
