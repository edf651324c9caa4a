// `lithe view` as its user meets it: Chromium opens the page from the viewer's server, and what is on the screen is compared with
// what the program says at the command line about the same case, and with geometry worked out here.
//
//   node viewer_test.mjs LITHE WEB_FOLDER [CHROMIUM] [FOLDER FOR PICTURES]
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {browserOptions, columnsOf, distance, near, nearShown, shownNumber} from './witness.mjs';

const [lithe, modules, chromiumFile = '/usr/bin/chromium', pictures] = process.argv.slice(2);
if (existsSync(join(modules, 'not_fetched'))) process.exit(77); // npm could not fetch the page: nothing to test
const {chromium} = createRequire(join(resolve(modules), 'x.js'))('playwright-core');

const lengths = [0.8, 1.2];
const start = [50, -60].map((degrees) => (degrees * Math.PI) / 180);
const caseText = `# Two links in a vertical plane; this comment stays
arm:
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}   # up is positive
      beam: {length: ${lengths[0]} m, material: aluminium, section: {tube: {outer_diameter: 60000 µm, inner_diameter: 50 mm}}, flexibility: rigid}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0], limits: {lower: -150 deg, upper: 20 deg}}
      beam:
        length: 1200 mm    # long
        material: aluminium
        section: {rectangle: {width_y: 40 mm, height_z: 12 mm}}
        flexibility: {modes: {bending_z: 2}}
      payload: {mass: 0.4 kg}
initial: {shoulder: 50 deg, elbow: -60 deg}
motion:
  shoulder: {cycloidal: {to: 80 deg, in: 1 s}}
  elbow: {cycloidal: {to: -100 deg, in: 1.2 s}}
simulate: {for: 2 s, output_step: 5 ms}
`;

const folder = mkdtempSync(join(tmpdir(), 'lithe-viewer-'));
const at = (name) => join(folder, name);
const call = (...words) => execFileSync(lithe, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
const told = (...words) => JSON.parse(call(...words, '--json'));
/// What the command line makes of a text.
function ran(name, text) {
  writeFileSync(at(`${name}.yaml`), text);
  call('run', at(`${name}.yaml`), '-o', at(name));
  return columnsOf(call, at(name), at('export.csv'));
}

const viewers = [];
async function viewer(file) {
  const child = spawn(lithe, ['view', file, '--no-open', '--port', '0'], {stdio: ['ignore', 'pipe', 'inherit']});
  const ended = new Promise((done) => child.on('exit', done));
  viewers.push({child, ended});
  process.on('exit', () => child.kill()); // whatever happens to this test
  return new Promise((done) => child.stdout.on('data', (data) => done(String(data).trim())));
}

let page;
const problems = [];
async function open(browser, address, viewport = pictures ? {width: 1400, height: 900} : {width: 880, height: 560}, colorScheme = 'light') {
  const context = await browser.newContext({viewport, colorScheme});
  page = await context.newPage();
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(address).origin) && !/^(data|blob):/.test(request.url())) problems.push(`asks elsewhere for ${request.url()}`);
  });
  page.on('pageerror', (error) => problems.push(`fails: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 422|ERR_CONNECTION_RESET/.test(message.text())) problems.push(`complains: ${message.text()}`);
  });
  await page.goto(address);
  await page.waitForSelector('html[data-ready]', {timeout: 60000});
}
const picture = async (name) => pictures && page.screenshot({path: join(pictures, `${name}.png`)});
const script = (expression) => page.evaluate(`litheReport.${expression}`);
const settle = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
const reading = (name) => page.textContent(`[data-reading="${name}"]`);
const field = (path) => page.locator(`[data-path="${path}"]`);
const text = () => page.inputValue('.case-text');
async function enter(path, value) {
  const answered = (response) => response.url().endsWith('/api/case') && response.request().postDataJSON().text.includes(value);
  const [response] = await Promise.all([page.waitForResponse(answered), field(path).fill(value)]);
  await response.finished();
  await settle();
}
async function write(words) {
  await page.click('.choice >> text=Text');
  const answered = (response) => response.url().endsWith('/api/case') && response.request().postDataJSON().text === words;
  const [response] = await Promise.all([page.waitForResponse(answered), page.fill('.case-text', words)]);
  await response.finished();
  await settle();
}
async function run() {
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('.going:not([hidden])');
  await page.waitForSelector('.run-button:not([hidden])', {timeout: 60000});
  await page.keyboard.press('Home'); // back to the start, paused
}
/// Requests to an address wait here with their answers until they are let go.
async function hold(path) {
  const held = [];
  const route = async (one) => {
    const answer = await one.fetch();
    held.push({asked: one.request().postDataJSON(), answer, go: () => one.fulfill({response: answer})});
  };
  await page.route(`**${path}`, route);
  const count = async (wanted) => {
    for (let k = 0; k < 500 && held.length < wanted; ++k) await page.waitForTimeout(10);
    assert.equal(held.length, wanted, `requests to ${path}`);
    return held[wanted - 1];
  };
  /// Those that wait and those to come.
  const release = async () => {
    await page.unroute(`**${path}`, route);
    await Promise.all(held.map(({go}) => go().catch(() => {}))); // some have gone
  };
  return {held, count, release};
}
/// The undeformed arm's tip by hand.
const rigidTip = ([l1, l2], [q1, q2]) => [l1 * Math.cos(q1) + l2 * Math.cos(q1 + q2), 0, l1 * Math.sin(q1) + l2 * Math.sin(q1 + q2)];

/// Readings and drawn tip of a run against columns of the command line; asked for together, because every question waits for a picture.
async function agrees(columns, run, rows) {
  for (const row of rows) {
    const {readings, tip} = await page.evaluate(
      async ({t, run}) => {
        litheReport.seek(t);
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const reading = (name) => document.querySelector(`[data-reading="${run}.${name}"]`).textContent;
        return {readings: ['x', 'y', 'z', 'error'].map(reading), tip: litheReport.tip(run, 1)};
      },
      {t: columns.t[row], run},
    );
    const [place, gap] = ['tip', 'tip_error'].map((name) => ['x', 'y', 'z'].map((axis) => columns[`${name}.${axis}`][row]));
    place.forEach((x, c) => near(shownNumber(readings[c], 'm'), x, 6e-5, `tip at row ${row}`));
    nearShown(shownNumber(readings[3], 'm'), Math.hypot(...gap), `tip error at row ${row}`);
    near(distance(tip, place), 0, 1e-9, 'drawn tip');
  }
}

let address;
const longer = caseText.replace('0.8 m', '1.1 m');
const checks = {
  async 'a case is there at once, posed at its start'(browser) {
    address = await viewer(at('case.yaml'));
    await open(browser, address);
    await page.waitForSelector('[data-reading="pose.x"]');
    near(distance(await script('posedTip(0)'), rigidTip(lengths, start)), 0, 1e-12, 'tip');
    await picture('open');
  },

  async 'an edited length changes the text at its place only, and the arm follows'() {
    await enter('arm.links[0].beam.length', '1.1');
    assert.equal(await text(), longer);
    near(distance(await script('posedTip(0)'), rigidTip([1.1, lengths[1]], start)), 0, 1e-12, 'tip');
    for (const [c, axis] of ['x', 'y', 'z'].entries()) near(shownNumber(await reading(`pose.${axis}`), 'm'), rigidTip([1.1, lengths[1]], start)[c], 6e-5, axis);
    // Behind a letter of two bytes, with the arrow keys, and with a unit of one's own.
    await field('arm.links[0].beam.section.tube.inner_diameter').focus();
    await page.keyboard.press('ArrowUp');
    assert.equal(await text(), longer.replace('50 mm', '51 mm'));
    await field('arm.links[0].beam.section.tube.inner_diameter').fill('5 cm');
    assert.equal(await text(), longer.replace('50 mm', '5 cm'));
    await page.click('text=Undo all');
    await page.waitForFunction((wanted) => document.querySelector('.case-text').value === wanted, caseText);
    await enter('arm.links[0].beam.length', '1.1');
    await picture('edited');
  },

  async 'it runs, and shows what the command line computes'() {
    await run();
    await agrees(ran('longer', longer), 0, [57, 400]);
    await page.click('#tab-summary');
    assert.equal(await page.textContent('.summary .state'), 'Complete');
    await page.click('#tab-case');
  },

  async 'the next run is overlaid, named by what changed'() {
    await enter('arm.links[1].payload.mass', '0.9');
    assert.equal(await page.textContent('.swing-note span'), 'The edited case at its start');
    await run();
    const changed = longer.replace('0.4 kg', '0.9 kg');
    const labels = await page.locator('.legend .run').allTextContents();
    assert.equal(labels.length, 2);
    assert.equal(labels[1], 'fore.mass 0.4 kg → 0.9 kg');
    const [before, after] = [columnsOf(call, at('longer'), at('export.csv')), ran('changed', changed)];
    assert.ok(Math.abs(before['tip_error.z'][100] - after['tip_error.z'][100]) > 1e-3, 'the runs must differ');
    await agrees(before, 0, [100]);
    await agrees(after, 1, [300]);
    await page.click('#tab-plots');
    await settle();
    assert.equal(await page.locator('.chip[data-name="tip_error.z"] .value').count(), 2);
    await picture('compare');
    await page.click('.legend .run >> nth=0');
    assert.equal(await page.locator('.chip[data-name="tip_error.z"] .value').count(), 1, 'a hidden run has no value in the plots');
    await page.click('.legend [aria-label^="Remove"] >> nth=0');
    await page.waitForFunction(() => document.querySelectorAll('.legend .run').length === 1);
    await page.click('#tab-case');
  },

  async 'mistakes stand at their line and in their field, and cannot be run'() {
    await enter('arm.links[1].beam.length', '3 kg');
    const line = (await text()).split('\n').findIndex((one) => one.includes('3 kg')) + 1;
    assert.equal(await page.textContent('.complaint:not([hidden])'), 'expected a length, got "3 kg"');
    assert.match(await page.textContent('.complaints button'), new RegExp(`^line ${line}.*links\\[1\\].beam.length expected a length, got "3 kg"$`));
    assert.ok(await page.isDisabled('.run-button'));
    await picture('mistake');
    await page.click('.complaints button');
    assert.equal(await page.textContent('.gutter .bad'), `${line}\n`);
    assert.equal(await page.evaluate(() => getSelection().toString().split('#')[0].trim()), '3 kg');
    await write(caseText.replace('motion:', 'motoin:'));
    assert.match(await page.textContent('.complaints button'), /unknown key 'motoin', did you mean 'motion'/);
    await write(caseText.replace('- name: fore', '- name: [fore'));
    assert.match(await page.textContent('.complaints button'), /not YAML/);
    assert.ok(await page.locator('.fields input').first().isDisabled(), 'fields wait until the text is mended');
    await write(caseText);
    assert.equal(await page.locator('.complaints button').count(), 0);
    assert.ok(await page.isEnabled('.run-button'));
    await page.click('.choice >> text=Parameters');
  },

  async 'a slow answer about an older text changes nothing, and questions do not pile up'() {
    const {held, count, release} = await hold('/api/case');
    await field('arm.links[1].beam.length').selectText();
    await page.keyboard.press('1');
    const {go} = await count(1);
    await page.keyboard.press('2');
    await go();
    await settle();
    await page.keyboard.press('3');
    assert.equal(await text(), caseText.replace('1200 mm', '123 mm'));
    await count(2);
    for (const key of ['4', '5']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(200); // longer than the page waits for another key
    }
    assert.equal(held.length, 2, 'one question at a time');
    await held[1].go();
    assert.equal((await count(3)).asked.text, caseText.replace('1200 mm', '12345 mm'), 'the next is about the text as it is');
    const answered = page.waitForResponse((response) => response.request().postData()?.includes('12345 mm') ?? false);
    await release();
    await (await answered).finished();
    await settle();
    near(distance(await script('posedTip(1)'), rigidTip([lengths[0], 12.345], start)), 0, 1e-12, 'tip');
    await enter('arm.links[1].beam.length', '1200');
    assert.equal(await text(), caseText);
  },

  async 'sliders pose the arm; tip, sag and modes are those of the command line'() {
    await page.click('#tab-pose');
    assert.equal(await page.getAttribute('.pose-slider[data-joint="elbow"]', 'max'), String((20 * Math.PI) / 180));
    await page.locator('.pose-slider[data-joint="shoulder"]').fill('0.3');
    await page.fill('[aria-label="elbow in degrees"]', '-75');
    await page.keyboard.press('Enter');
    await settle();
    const q = `shoulder=0.3,elbow=-75deg`;
    near(distance(await script('posedTip(1)'), told('eval', at('case.yaml'), '--q', q).tip.position), 0, 1e-9, 'tip');
    const answered = () => page.waitForResponse((response) => response.url().endsWith('/api/modes'));
    await Promise.all([answered(), page.click('text=Modes here')]);
    for (const joints of ['locked', 'free']) {
      await Promise.all([answered(), page.click(`.pose .choice >> text=${joints}`)]);
      const frequencies = told('modes', at('case.yaml'), '--q', q, '--joints', joints).frequencies_hz.filter((hertz) => hertz > 0);
      await page.waitForFunction((count) => document.querySelectorAll('.pose .mode').length === count, frequencies.length);
      const shown = await page.locator('.pose .mode .number').allTextContents();
      shown.forEach((one, k) => nearShown(shownNumber(one, 'Hz'), frequencies[k], `${joints} mode ${k + 1}`));
    }
    await page.locator('.pose .mode').first().click();
    await page.waitForTimeout(100);
    const first = await page.locator('.view').screenshot();
    await page.waitForTimeout(400);
    assert.notDeepEqual(await page.locator('.view').screenshot(), first, 'a mode must swing');
    await picture('mode');
    await page.getByRole('button', {name: 'Back to the pose'}).click();
    assert.equal(await page.locator('.pose .mode[aria-pressed="true"]').count(), 0);
    await Promise.all([page.waitForResponse((response) => response.url().endsWith('/api/sag')), page.getByRole('button', {name: /Let the arm sag/}).click()]);
    await page.waitForFunction(() => /^The tip sags by/.test(document.querySelector('.pose .note').textContent));
    await settle();
    const rest = told('static', at('case.yaml'), '--q', q);
    assert.ok(Math.hypot(...rest.sag) > 1e-3, 'the arm must sag, or this check cannot fail');
    near(distance(await script('posedTip(1)'), rest.tip.position), 0, 1e-8, 'tip, sagging');
    nearShown(shownNumber(await reading('pose.error'), 'm'), Math.hypot(...rest.sag), 'sag');
  },

  async 'modes and sag of a pose that is no more are not shown'() {
    const shoulder = page.locator('.pose-slider[data-joint="shoulder"]');
    const sag = page.getByRole('button', {name: /Let the arm sag/});
    const note = () => page.locator('.pose .note').first().textContent();
    if ((await sag.getAttribute('aria-pressed')) === 'true') await sag.click();
    await shoulder.fill('0.4');
    const [modes, sags] = [await hold('/api/modes'), await hold('/api/sag')];
    await page.click('text=Modes here');
    await modes.count(1);
    await shoulder.fill('0.5');
    await modes.held[0].go();
    await settle();
    assert.equal(await page.locator('.pose .mode').count(), 0, 'modes of the pose before');
    await sag.click();
    await sags.count(1);
    await shoulder.fill('0.6');
    await sags.held[0].go();
    await settle();
    assert.equal(await shoulder.inputValue(), '0.6', 'the joint stays where it was moved to');
    assert.equal(await note(), '', 'sag of the pose before');
    // Modes looked for while the arm sags are those of the arm that hangs, and the sag is shown.
    await sags.count(2);
    await page.click('text=Modes here');
    await modes.count(2);
    await sags.held[1].go();
    await page.waitForFunction(() => /^The tip sags by/.test(document.querySelector('.pose .note').textContent));
    await modes.held[1].go();
    const {asked} = await modes.count(3);
    assert.deepEqual(asked.q, (await sags.held[1].answer.json()).q);
    await modes.release();
    await sags.release();
    await page.waitForSelector('.pose .mode');
    await page.click('#tab-case');
  },

  async 'a long run is not lost from sight and can be stopped, and what it has is shown as incomplete'() {
    await write(caseText.replace('for: 2 s, output_step: 5 ms', 'for: 1e5 s, output_step: 0.1 s, rtol: 1e-9'));
    await page.click('.choice >> text=Parameters');
    // Begun elsewhere: who would run comes to know of it.
    await page.evaluate(
      ({text, token}) => fetch('/api/run', {method: 'POST', headers: {'Content-Type': 'application/json', 'X-Lithe-Token': token}, body: JSON.stringify({text})}),
      {text: await text(), token: new URL(address).searchParams.get('token')},
    );
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.run-message:not([hidden])');
    assert.match(await page.textContent('.run-message'), /^a run is in progress/);
    const goesOn = () => page.waitForFunction(() => /^0\.\d %, .* left$/.test(document.querySelector('.run-words').textContent), undefined, {timeout: 30000});
    await goesOn();
    await picture('running');
    // A look at it that fails is not its end.
    let cut = 2;
    await page.route('**/api/progress', (route) => (cut-- > 0 ? route.abort('connectionreset') : route.continue()));
    await page.waitForFunction(() => /^no answer/.test(document.querySelector('.run-words').textContent));
    await goesOn();
    await page.unroute('**/api/progress');
    await page.click('.stop');
    await page.waitForSelector('.run-button:not([hidden])', {timeout: 30000});
    assert.match(await page.textContent('.warning'), /incomplete/);
    assert.ok(await page.isHidden('.run-message'), 'no run goes on');
    await write(caseText);
    await page.click('.choice >> text=Parameters');
  },

  async 'a run that fails says why in the words of the program'() {
    // A link that falls freely with a controller far too fast for the fixed step.
    const wild = caseText
      .replace(/motion:[^]*?simulate:/, 'torque: {shoulder: {pd: {kp: 1e9 N.m/rad, kd: 0 N.m.s/rad, target: 1 rad}}}\nsimulate:')
      .replace('output_step: 5 ms', 'method: rk4, step: 10 ms');
    writeFileSync(at('wild.yaml'), wild);
    let words = '';
    try {
      call('run', at('wild.yaml'), '-o', at('wild'));
    } catch (error) {
      words = error.stderr.split('\n')[0].replace(/^lithe: .*?wild.yaml: /, '');
    }
    assert.ok(words.length > 20, 'the run must fail, or this check cannot');
    await write(wild);
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.run-message:not([hidden])', {timeout: 30000});
    assert.ok((await page.textContent('.run-message')).includes(words), `${await page.textContent('.run-message')} has not ${words}`);
    assert.ok(!(await page.textContent('.run-message')).includes('lithe-view-'), 'no file of the viewer is named');
    await picture('failed');
    await page.click('.run-message button');
    await page.click('text=Undo all');
    await page.click('.choice >> text=Parameters');
  },

  async 'saving writes the case file'() {
    await enter('simulate.for', '1.5');
    await Promise.all([page.waitForResponse((response) => response.url().endsWith('/api/save')), page.getByRole('button', {name: /^Write/}).click()]);
    assert.equal(readFileSync(at('case.yaml'), 'utf8'), caseText.replace('for: 2 s', 'for: 1.5 s'));
    await page.waitForFunction(() => document.querySelector('[aria-label^="Write"]').disabled);
  },

  async 'a second window sees the runs; dark, and no wider than a phone'(browser) {
    await page.context().close();
    await open(browser, address, {width: 390, height: 844}, 'dark');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    assert.ok((await page.locator('.legend .run').count()) > 0);
    for (const tab of ['case', 'pose', 'plots', 'summary']) {
      await page.click(`#tab-${tab}`);
      const {inner, needed} = await page.evaluate(() => ({inner: innerWidth, needed: document.scrollingElement.scrollWidth}));
      assert.ok(needed <= inner, `${tab} is ${needed} wide on a screen of ${inner}`);
    }
    await page.click('#tab-case');
    await picture('phone');
    await page.context().close();
  },

  async 'lines keep their ends; the cursor goes to a mistake behind letters of several bytes'(browser) {
    const ended = (words) => words.replaceAll('\n', '\r\n');
    const file = at('ended.yaml');
    const plain = `arm:
  links:
    - {name: a, joint: {type: revolute, axis: [0, 0, 1]}, beam: {section: {tube: {outer_diameter: 6e4 µm, inner_diameter: 5e4 µm}}, length: 1 m, material: steel, flexibility: rigid}}
simulate: {for: 1 s}`;
    writeFileSync(file, ended(plain));
    const address = await viewer(file);
    await open(browser, address, {width: 400, height: 300});
    const save = page.getByRole('button', {name: /^Write/});
    await page.click('.choice >> text=Text');
    await page.locator('.case-text').press('Control+End');
    await page.keyboard.insertText(' # ü\n# end');
    assert.ok(await save.isEnabled());
    await Promise.all([page.waitForResponse((response) => response.url().endsWith('/api/save')), save.click()]);
    assert.equal(readFileSync(file, 'utf8'), ended(`${plain} # ü\n# end`));
    await page.locator('.case-text').press('x');
    assert.ok(await save.isEnabled());
    await page.keyboard.press('Backspace');
    assert.ok(await save.isDisabled(), 'the text is the saved one again');
    await page.waitForSelector('.fields input:not(:disabled)', {state: 'attached'});
    await page.click('.choice >> text=Parameters');
    await enter('arm.links[0].beam.length', '2 kg');
    await page.click('.complaints button');
    assert.match(await page.evaluate(() => getSelection().toString()), /^2 kg, material/);
    await page.click('text=Undo all');
    await page.context().close();
  },

  async 'a field that an anchor gives to several links says that it changes all, and does'(browser) {
    const shared = `arm:
  links:
    - {name: a, joint: {type: revolute, axis: [0, 0, 1]}, rigid: &bar {length: 0.5 m, mass: 1, com: [0.25, 0, 0]}}
    - {name: b, joint: {type: revolute, axis: [0, 0, 1]}, rigid: *bar}
    - {name: c, joint: {type: revolute, axis: [0, 0, 1]}, rigid: {length: 0.25 m, mass: 1, com: [0.1, 0, 0]}}
`;
    writeFileSync(at('shared.yaml'), shared);
    await open(browser, await viewer(at('shared.yaml')), {width: 400, height: 300});
    const note = (path) => page.locator('.field-row', {has: field(path)}).locator('.shared');
    for (const link of [0, 1]) assert.equal(await note(`arm.links[${link}].rigid.length`).textContent(), 'shared by 2 links: a change applies to all');
    assert.match(await note('arm.links[1].rigid.length').getAttribute('title'), /^a\.length, b\.length: /);
    assert.equal(await note('arm.links[2].rigid.length').count(), 0);
    await enter('arm.links[1].rigid.length', '0.75');
    assert.equal(await text(), shared.replace('0.5 m', '0.75 m'));
    assert.equal(await field('arm.links[0].rigid.length').inputValue(), '0.75', 'the other field follows');
    near(distance(await script('posedTip(2)'), [0.75 + 0.75 + 0.25, 0, 0]), 0, 1e-12, 'tip');
    await page.click('text=Undo all');
    await page.context().close();
  },

  async 'results are shown like a report, and their case runs again'(browser) {
    const columns = columnsOf(call, at('longer'), at('export.csv'));
    await open(browser, await viewer(at('longer')));
    await agrees(columns, 0, [377]);
    assert.equal(await page.locator('[aria-label^="Write"]').count(), 0, 'there is no case file to write');
    await page.click('#tab-case');
    await enter('simulate.for', '1');
    await run();
    await agrees(columns, 1, [150]); // the same motion, ended sooner
    near(Number((await page.locator('.legend .run').allTextContents()).length), 2, 0, 'runs');
    await page.context().close();
  },
};

writeFileSync(at('case.yaml'), caseText);
let failed = 0;
let browser;
try {
  browser = await chromium.launch(browserOptions(chromiumFile));
  for (const [name, check] of Object.entries(checks)) {
    const begun = Date.now();
    try {
      await check(browser);
      assert.deepEqual(problems.splice(0), []);
      console.log(`ok      ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    } catch (error) {
      ++failed;
      problems.splice(0);
      console.log(`FAILED  ${name}\n        ${error.message}\n${String(error.stack).split('\n').slice(1, 4).join('\n')}`);
    }
  }
} finally {
  await browser?.close();
  for (const {child, ended} of viewers) {
    child.kill('SIGINT');
    if ((await ended) !== 0) ++failed;
  }
  rmSync(folder, {recursive: true, force: true});
}
process.exitCode = failed > 0 ? 1 : 0;
