// Exact links as the page draws them: its kinematics, without a browser, against closed forms and against tips that a run recorded.
//
//   node rod_test.mjs LITHE FOLDER_OF_THE_PAGE
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {columnsOf, distance, near} from './witness.mjs';

const [lithe, modules] = process.argv.slice(2);
if (existsSync(join(modules, 'not_fetched'))) process.exit(77); // npm could not fetch the page: nothing to test
const esbuild = createRequire(join(resolve(modules), 'x.js'))('esbuild');
const folder = mkdtempSync(join(tmpdir(), 'lithe-rod-'));
const at = (name) => join(folder, name);
const call = (...words) => execFileSync(lithe, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
const bundled = async (name) => {
  const out = at(`${name}.mjs`);
  await esbuild.build({entryPoints: [join(modules, 'src', `${name}.ts`)], bundle: true, format: 'esm', outfile: out, logLevel: 'error'});
  return import(pathToFileURL(out).href);
};

/// A joint at 40 deg/s, two links that bend far in both directions, twist and stretch, the second standing on the bent first.
const caseText = `arm:
  links:
    - name: boom
      joint: {name: hub, type: revolute, axis: [0, -1, 0]}
      beam:
        length: 1.5
        material: {E: 2e7, nu: 0.3, density: 1000}
        section: {rectangle: {width_y: 30 mm, height_z: 20 mm}}
        flexibility: {strains: {bending_y: 2, bending_z: 3, torsion: 1, axial: 1}}
    - name: whip
      joint: {name: wrist, type: revolute, axis: [0, 0, 1], origin: {xyz: [0, 0.1, 0], rpy: [0.4, 0, 0]}}
      beam:
        length: 1
        material: {E: 1e7, nu: 0.3, density: 1000}
        section: {circle: {diameter: 20 mm}}
        flexibility: {strains: {bending_y: 2, bending_z: 2, torsion: 1}}
initial: {hub: {rate: 40 deg/s}}
simulate: {for: 0.6 s, output_step: 50 ms, method: dopri5, rtol: 1e-5, atol: 1e-7}
`;

try {
  {
    // A constant curvature winds the axis into a circle, on one piece and on two; with torsion into a helix.
    const {RodCurve} = await bundled('rod');
    const pose = () => new Float64Array(12);
    const turn = 4.2;
    const radius = 2 / turn;
    for (const [breaks, q] of [
      [[0, 2], [0, turn, 0]],
      [[0, 2 / 3, 2], [0, turn / 3, 0, (2 * turn) / 3, 0]],
    ]) {
      const rod = new RodCurve({breaks, terms: [2, 0, 0, 0, 0, 0], initial: [0, 0, 0]});
      const all = Float64Array.from(q);
      rod.update(all, 1, 1);
      for (const x of [0, 0.31, 2 / 3, 1.234, 2]) {
        const S = rod.section(x, all, 1, 1, pose());
        const angle = (turn * x) / 2;
        assert.ok(distance([...S.subarray(9)], [radius * Math.sin(angle), radius * (1 - Math.cos(angle)), 0]) < 1e-3, `at ${x} on ${breaks.length - 1}`);
        near(S[0], Math.cos(angle), 1e-9, 'turn');
      }
    }
    const helix = new RodCurve({breaks: [0, 1], terms: [0, 1, 1, 1, 0, 0], initial: [0, 0, 0]});
    const [bend, twist, stretch] = [1.7, 2.1, 0.1];
    helix.update(Float64Array.of(bend, twist, stretch), 0, 1);
    // κ = (twist, −bend, 0): the tip's advance along that axis is (1 + ε) κ_x/|κ|.
    const k = Math.hypot(bend, twist);
    near((helix.tip[9] * twist - helix.tip[10] * bend) / k, ((1 + stretch) * twist) / k, 1e-9, 'advance of a helix');
    // Half the deformation is that of half the coordinates.
    const half = new RodCurve({breaks: [0, 1], terms: [0, 1, 1, 1, 0, 0], initial: [0, 0, 0]});
    half.update(Float64Array.of(bend, twist, stretch), 0, 0.5);
    helix.update(Float64Array.of(bend / 2, twist / 2, stretch / 2), 0, 1);
    assert.ok(distance([...half.tip], [...helix.tip]) < 1e-15);
  }

  writeFileSync(at('case.yaml'), caseText);
  call('run', at('case.yaml'), '-o', at('out'));
  call('report', at('out'), '-o', at('report.html'));
  const {scene} = JSON.parse(/<script type="application\/json" id="lithe-runs">(.*?)<\/script>/s.exec(readFileSync(at('report.html'), 'utf8'))[1])[0];
  const table = columnsOf(call, at('out'), at('export.csv'));
  const {Kinematics} = await bundled('kinematics');
  const kinematics = new Kinematics(scene);
  let bent = 0;
  table['tip.x'].forEach((_, row) => {
    const q = Float64Array.from(scene.positions, (name) => table[name][row]);
    kinematics.update(q, 0, 1);
    const T = kinematics.T[scene.tip];
    const tip = ['x', 'y', 'z'].map((axis) => table[`tip.${axis}`][row]);
    assert.ok(distance([...T.subarray(9)], tip) < 1e-3, `tip in row ${row}: ${[...T.subarray(9)]} instead of ${tip}`);
    const [w, x, y, z] = ['w', 'x', 'y', 'z'].map((part) => table[`tip.q${part}`][row]);
    near(T[3], 2 * (x * y + w * z), 1e-3, `turn of the tip in row ${row}`);
    near(T[7], 2 * (y * z + w * x), 1e-3, `turn of the tip in row ${row}`);
    // The last station is the tip.
    const link = scene.links[scene.tip];
    const last = kinematics.station(scene.tip, link.stations.length - 1, q, 1, new Float64Array(12));
    assert.ok(distance([...last], [...T]) < 1e-9);
    bent = Math.max(bent, Math.abs(table['boom.3'][row]));
  });
  assert.ok(bent > 0.5, `the link must bend far for this to mean anything: ${bent} rad`);
} finally {
  rmSync(folder, {recursive: true, force: true});
}
