// `lithe view` as its network meets it: requests by hand over sockets of this machine, well-formed and not.
//
//   node view_server_test.mjs LITHE WEB_FOLDER
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const [lithe, web] = process.argv.slice(2);
if (existsSync(join(web, 'not_fetched'))) process.exit(77); // npm could not fetch the page: there is no viewer

const folder = mkdtempSync(join(tmpdir(), 'lithe-server-'));
const scratch = join(folder, 'scratch'); // what the viewer takes for temporary
mkdirSync(scratch);
const at = (name) => join(folder, name);
const caseText = `# a bar on a motor
arm:
  links:
    - name: bar
      joint: {name: hub, type: revolute, axis: [0, 1, 0]}
      rigid: {length: 1, mass: 2, com: [0.5, 0, 0]}
torque: {hub: 0.3 N.m}
simulate: {for: 1 s}
`;
// Within every limit, and yet a minute's work to describe.
const heavyText = caseText.replace(/rigid: .*$/m, 'beam: {length: 1, material: steel, section: {circle: {diameter: 20 mm}}, flexibility: {elements: 10000, keep: 400}}');
const endless = caseText.replace('1 s', '1e6 s, output_step: 1 s');
mkdirSync(at('home'));
const caseFile = at('home/case.yaml');
writeFileSync(caseFile, caseText);
writeFileSync(at('secret.csv'), '0,1\n1,2\n');

const started = new Set();
const tokens = new Map(); // by port
/// Starts a viewer and waits for its address.
const viewer = (...words) => viewerWith({}, ...words, '--no-open');
async function viewerWith(env, ...words) {
  const child = spawn(lithe, ['view', ...words], {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, TMPDIR: scratch, ...env}});
  started.add(child);
  let out = '';
  let err = '';
  child.stderr.on('data', (data) => (err += data));
  const ended = new Promise((done) => child.on('exit', (code) => (started.delete(child), done(code))));
  const address = await Promise.race([
    new Promise((done) => child.stdout.on('data', (data) => (out += data).includes('\n') && done(out.trim()))),
    ended.then((code) => assert.fail(`ended with ${code}: ${err}`)),
  ]);
  const url = new URL(address);
  tokens.set(Number(url.port), url.searchParams.get('token'));
  return {child, address, port: Number(url.port), token: url.searchParams.get('token'), ended, said: () => err};
}

/// Sends bytes as they are and gathers the answer until the other side closes.
function raw(port, bytes, wait = 60000) {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      done(answer);
    };
    const timer = setTimeout(finish, wait);
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', finish);
    socket.write(bytes);
  });
}
const status = (answer) => Number(/^HTTP\/1\.\d (\d+)/.exec(answer)?.[1] ?? 0);
const body = (answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4);
function request(port, method, path, {headers = {}, content} = {}) {
  const all = {Host: `localhost:${port}`, 'X-Lithe-Token': tokens.get(port), ...(content === undefined ? {} : {'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(content)}), ...headers};
  const lines = Object.entries(all).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}\r\n`);
  return raw(port, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content ?? ''}`);
}
const get = (port, path, headers) => request(port, 'GET', path, {headers});
const post = (port, path, value, headers) => request(port, 'POST', path, {headers, content: typeof value === 'string' ? value : JSON.stringify(value)});
const asked = async (answer) => JSON.parse(Buffer.from(body(await answer), 'latin1').toString('utf8'));
const memory = (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
async function until(what, holds, ms = 20000) {
  for (const end = Date.now() + ms; Date.now() < end; await pause(50)) {
    const found = await holds();
    if (found) return found;
  }
  assert.fail(`${what} does not happen`);
}
/// Processes that descend from a process, by threads too.
function descendants(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number));
}
const outcome = (port) => until('the end of the run', async () => (await asked(get(port, '/api/progress'))).outcome);

let main;
let slow; // a client that never finishes its request
const checks = {
  async 'the page and its data come, with bounds on what the page may do'() {
    const page = await get(main.port, '/');
    assert.equal(status(page), 200);
    assert.match(page, /Content-Security-Policy: default-src 'none';[^\r]*connect-src 'self'/);
    assert.match(page, /X-Content-Type-Options: nosniff/);
    assert.ok(!/Access-Control-Allow/i.test(page));
    assert.equal((await asked(get(main.port, '/api/session'))).text, caseText);
    const described = await asked(post(main.port, '/api/case', {text: caseText}));
    assert.deepEqual(described.errors, []);
    assert.equal(described.parameters.find(({path}) => path === 'arm.links[0].rigid.length').text, '1');
  },

  async 'without its token nothing is answered, and nothing is done'() {
    assert.match(main.token, /^[0-9a-f]{32}$/);
    const other = main.token.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    for (const token of [undefined, '', '0', other, main.token.slice(1), `${main.token}0`]) {
      const headers = {'X-Lithe-Token': token};
      for (const path of ['/', '/api/session', '/api/progress', '/api/runs/1', '/nothing', `/?token=${token ?? ''}`]) {
        const answer = await get(main.port, path, headers);
        assert.equal(status(answer), 403, `${path} with ${token}`);
        assert.ok(!answer.includes('hub') && !answer.includes(main.token), path);
      }
      for (const path of ['/api/case', '/api/modes', '/api/sag', '/api/run', '/api/stop', '/api/forget', '/api/save'])
        assert.equal(status(await post(main.port, path, {text: 'arm: 3', q: [0], joints: 'free', run: 1}, headers)), 403, `${path} with ${token}`);
    }
    assert.equal(status(await get(main.port, '/', {'X-Lithe-Token': undefined, Cookie: `token=${main.token}`})), 403);
    assert.equal(readFileSync(caseFile, 'utf8'), caseText);
    assert.equal(status(await get(main.port, `/?token=${main.token}`, {'X-Lithe-Token': undefined})), 200, 'as the browser opens it');
    const second = await viewer(caseFile);
    assert.notEqual(second.token, main.token);
    second.child.kill('SIGINT');
    assert.equal(await second.ended, 0);
  },

  async 'the address is the one it listens on, and reaches the browser unseen by others'() {
    // `localhost` may be ::1 first, where a program of another user may listen.
    assert.ok(main.address.startsWith(`http://127.0.0.1:${main.port}/?token=`), main.address);
    const named = await viewer(caseFile, '--host', 'localhost', '--port', '0');
    assert.match(named.address, /^http:\/\/(127\.0\.0\.1|\[::1\]):/);
    named.child.kill('SIGINT');
    await named.ended;
    // What a browser is started with stands in the list of processes.
    mkdirSync(at('bin'));
    writeFileSync(at('bin/xdg-open'), `#!/bin/sh\nstat -c %a "$1" >'${at('opened.rights')}'\ncat "$1" >'${at('opened.html')}'\necho "$@" >'${at('opened')}'\n`, {mode: 0o755});
    const opened = await viewerWith({PATH: `${at('bin')}:${process.env.PATH}`}, caseFile, '--open', '--port', '0');
    await until('the browser', () => existsSync(at('opened')) && readFileSync(at('opened'), 'utf8').endsWith('\n'));
    assert.ok(!readFileSync(at('opened'), 'utf8').includes(opened.token), 'no token among the words');
    assert.equal(readFileSync(at('opened.rights'), 'utf8').trim(), '600');
    assert.ok(readFileSync(at('opened.html'), 'utf8').includes(`url=${opened.address}"`));
    opened.child.kill('SIGINT');
    assert.equal(await opened.ended, 0);
  },

  async 'ranges are not taken: an answer comes once and whole'() {
    const whole = await get(main.port, '/');
    const many = (count) => `bytes=${Array.from({length: count}, () => '0-').join(',')}`;
    for (const range of ['bytes=0-9', many(50), many(1200), many(2600)]) {
      const answer = await get(main.port, '/', {Range: range});
      assert.equal(status(answer), 200, range.slice(0, 20));
      assert.equal(body(answer).length, body(whole).length, range.slice(0, 20));
    }
    const all = await Promise.all(Array.from({length: 16}, () => get(main.port, '/', {Range: many(1200)})));
    assert.ok(all.every((answer) => answer.length < whole.length + 1000));
  },

  async 'other names of this machine are refused, for reading too'() {
    for (const host of ['evil.example', `evil.example:${main.port}`, 'localhost', `localhost:${main.port + 1}`, `localhost.evil.example:${main.port}`, '', undefined])
      for (const path of ['/', '/api/session']) assert.ok([400, 403].includes(status(await get(main.port, path, {Host: host}))), `Host ${host}`);
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) assert.equal(status(await get(main.port, '/api/session', {Host: `${host}:${main.port}`})), 200, host);
    const twice = await raw(main.port, `GET /api/session HTTP/1.1\r\nHost: localhost:${main.port}\r\nX-Lithe-Token: ${main.token}\r\nHost: evil.example\r\n\r\n`);
    assert.equal(status(twice), 400);
  },

  async 'other pages can neither change nor read anything'() {
    const others = [{Origin: 'http://evil.example'}, {Origin: 'null'}, {Origin: `http://localhost:${main.port + 1}`}, {'Sec-Fetch-Site': 'cross-site'}, {'Sec-Fetch-Site': 'same-site'}];
    for (const headers of others) assert.equal(status(await post(main.port, '/api/run', {text: caseText}, headers)), 403, JSON.stringify(headers));
    assert.equal(status(await get(main.port, '/api/session', {Origin: 'http://evil.example'})), 403);
    assert.equal(status(await post(main.port, '/api/run', {text: caseText}, {'Content-Type': 'text/plain'})), 415);
    assert.equal((await asked(get(main.port, '/api/progress'))).running, false);
    assert.equal(status(await post(main.port, '/api/stop', {}, {Origin: `http://localhost:${main.port}`, 'Sec-Fetch-Site': 'same-origin'})), 200);
  },

  async 'no address leads to a file'() {
    const paths = ['/../../../../etc/passwd', '/..%2f..%2f..%2fetc%2fpasswd', '/%2e%2e/%2e%2e/etc/passwd', '//etc/passwd', '/etc/passwd', '/case.yaml', '/api/runs/../../etc/passwd',
      '/api/runs/1/..', '/api/runs/-1', '/api/runs/1e9', '/api/runs/99999999999999999999', '/api/runs/1/c99999999999', '/api/runs/1/t%00', '/api', '/favicon.ico', '/api/case', '*', 'http://localhost/'];
    for (const path of paths) {
      const answer = await get(main.port, path);
      assert.ok([400, 404].includes(status(answer)), `${path}: ${answer.slice(0, 60)}`);
      assert.ok(!/root:/.test(answer), path);
    }
  },

  async 'unknown methods are refused'() {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'CONNECT', 'BREW']) {
      const answer = status(await request(main.port, method, '/api/session', {content: '{}'}));
      assert.ok([400, 405].includes(answer), `${method}: ${answer}`);
    }
    assert.equal(status(await post(main.port, '/api/session', {})), 404);
  },

  async 'oversized and endless requests are cut off without costing memory'() {
    const before = memory(main.child.pid);
    assert.equal(status(await raw(main.port, `POST /api/case HTTP/1.1\r\nHost: localhost:${main.port}\r\nX-Lithe-Token: ${main.token}\r\nContent-Type: application/json\r\nContent-Length: 900000000\r\n\r\n{`)), 413);
    assert.equal(status(await raw(main.port, `POST /api/case HTTP/1.1\r\nHost: localhost:${main.port}\r\nX-Lithe-Token: ${main.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"tex\r\n`)), 411);
    assert.equal(status(await get(main.port, `/${'a'.repeat(20000)}`)), 414);
    const flood = (start, piece) =>
      new Promise((done) => {
        const socket = connect(main.port, '127.0.0.1');
        let sent = 0;
        const more = () => {
          while (!socket.destroyed && sent < 64 << 20) {
            sent += piece.length;
            if (!socket.write(piece)) return socket.once('drain', more);
          }
          socket.destroy();
        };
        socket.on('error', () => {});
        socket.on('close', () => done(sent));
        socket.write(start, more);
      });
    const piece = 'x'.repeat(65536);
    const many = `X-Header: ${'y'.repeat(1000)}\r\n`.repeat(64);
    const floods = await Promise.all([flood('GET /', piece), flood(`GET / HTTP/1.1\r\nX: `, piece), flood('GET / HTTP/1.1\r\n', many), flood('', Buffer.alloc(65536))]);
    for (const sent of floods) assert.ok(sent < 32 << 20, `${sent} bytes were taken`);
    assert.ok(memory(main.child.pid) < before + 60, `${before} MB became ${memory(main.child.pid)} MB`);
    assert.equal(status(await get(main.port, '/api/session')), 200);
  },

  async 'malformed requests are refused, and the viewer lives'() {
    const broken = ['\r\n\r\n', 'GET\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', `GET / HTTP/1.1\r\nHost localhost\r\n\r\n`, '\x00\xff\xfe\r\n\r\n', 'GET  /  HTTP/1.1\r\n\r\n',
      `POST /api/case HTTP/1.1\r\nHost: localhost:${main.port}\r\nX-Lithe-Token: ${main.token}\r\nContent-Type: application/json\r\nContent-Length: -5\r\n\r\n{}`,
      `POST /api/case HTTP/1.1\r\nHost: localhost:${main.port}\r\nX-Lithe-Token: ${main.token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}`];
    for (const bytes of broken) assert.ok(status(await raw(main.port, bytes, 2000)) !== 200, JSON.stringify(bytes));
    for (const content of ['', '{', 'null', '[]', '{"text": 3}', '{}', '['.repeat(100000), '"\\u0000"', `{"text": ${'{"a":'.repeat(50000)}`])
      assert.equal(status(await post(main.port, '/api/case', content)), 400, content.slice(0, 20));
    for (const text of ['', '[', '['.repeat(100000), '{'.repeat(5000), '&a [*a]', 'a: &a [b, b]\nb: &b [*a, *a]', '\t', '%YAML 9', 'arm: 3', '\0', 'x: !!binary ===']) {
      const {errors} = await asked(post(main.port, '/api/case', {text}));
      assert.ok(errors.length > 0, `no complaint about ${text.slice(0, 20)}`);
    }
    for (const q of [[], [1, 2], ['x'], 'x', [1e999], null]) {
      const answer = status(await post(main.port, '/api/modes', JSON.stringify({text: caseText, q, joints: 'locked'})));
      assert.ok(answer === 400 || answer === 422, `q ${JSON.stringify(q)}: ${answer}`);
    }
    assert.equal(status(await post(main.port, '/api/modes', {text: caseText, q: [0], joints: 'servo'})), 422);
    assert.equal(status(await get(main.port, '/api/session')), 200);
  },

  async 'a case edited in the browser cannot name files elsewhere'() {
    const naming = (file) => caseText.replace('torque: {hub: 0.3 N.m}', `motion: {hub: {table: {file: ${file}}}}`);
    const outside = [naming('/etc/passwd'), naming('../secret.csv'), naming('./x/../../secret.csv'), naming('"../secret.csv"'), `include: ../../x.yaml\n${caseText}`, `include: [case.yaml, /etc/passwd]\n${caseText}`,
      'arm: {carrier: /etc/passwd, carries: case.yaml}', 'arm: {carrier: case.yaml, carries: [case.yaml, ../x.yaml]}', caseText.replace('rigid: {length: 1, mass: 2, com: [0.5, 0, 0]}', 'imported: {file: /etc/passwd}')];
    for (const text of outside) {
      const {errors, scene} = await asked(post(main.port, '/api/case', {text}));
      assert.ok(errors.some(({message, line}) => /outside the folder/.test(message) && line > 0), text);
      assert.equal(scene, undefined);
      assert.ok(!JSON.stringify(errors).includes('root:'));
      assert.equal(status(await post(main.port, '/api/run', {text})), 422);
    }
    writeFileSync(at('home/inside.csv'), '0,0\n1,0.5\n2,0.5\n');
    assert.deepEqual((await asked(post(main.port, '/api/case', {text: naming('inside.csv')}))).errors, []);
    // What the case on disk names may stay.
    mkdirSync(at('other'));
    writeFileSync(at('other/case.yaml'), naming('../secret.csv'));
    const other = await viewer(at('other/case.yaml'));
    assert.deepEqual((await asked(post(other.port, '/api/case', {text: naming('../secret.csv') + '# edited\n'}))).errors, []);
    other.child.kill('SIGINT');
    assert.equal(await other.ended, 0);
  },

  async 'of other files that a case names nothing is quoted'() {
    const secret = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAA';
    mkdirSync(at('home/.ssh'));
    writeFileSync(at('home/.ssh/id_ed25519'), `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n${secret}\n-----END OPENSSH PRIVATE KEY-----\n`);
    writeFileSync(at('home/map.yaml'), `${secret}: 1\ngravity: ${secret}\nbase: ${secret}\nname: "it's ${secret}"\nlinks: [${secret}]\n`);
    writeFileSync(at('home/broken.yaml'), `[ *${secret}`);
    writeFileSync(at('home/table.csv'), `0,1\n${secret},2\n`);
    writeFileSync(at('home/link.json'), JSON.stringify({nodes: secret, [secret]: 1}));
    const [key, map, broken] = ['.ssh/id_ed25519', 'map.yaml', 'broken.yaml'];
    const table = (file) => caseText.replace('torque: {hub: 0.3 N.m}', `motion: {hub: {table: {file: ${file}}}}`);
    const imported = (file) => caseText.replace(/rigid: .*$/m, `imported: {file: ${file}}`);
    const asking = [`include: ${key}\n${caseText}`, `arm: {include: ${key}}`, `arm: {carrier: ${key}, carries: case.yaml}`, `arm: {include: ${map}}`, `include: ${map}\n${caseText}`,
      `motion: {include: ${map}}\n${caseText}`, `arm: {links: [{include: ${map}}]}`, `include: ${broken}`, table('table.csv'), table(key), imported('link.json'), imported(key)];
    for (const text of asking) {
      const answer = body(await post(main.port, '/api/case', {text}));
      assert.ok(JSON.parse(Buffer.from(answer, 'latin1')).errors.length > 0, text);
      assert.ok(!answer.includes(secret.slice(0, 20)), `${text.slice(0, 60)}: ${answer}`);
      const run = await post(main.port, '/api/run', {text});
      assert.equal(status(run), 422);
      assert.ok(!run.includes(secret.slice(0, 20)), run);
    }
    const {errors} = await asked(post(main.port, '/api/case', {text: `arm: {include: ${key}}`}));
    assert.equal(errors[0].message, `"${key}" is not a case file: expected a mapping of fields`);
    // A quote from the case itself is short and prints.
    const {errors: own} = await asked(post(main.port, '/api/case', {text: caseText.replace('mass: 2', `mass: "\\e[31m${'x'.repeat(5000)}"`)}));
    assert.match(own[0].message, /^expected a mass, got "\\x1b\[31mx{52}…"/);
  },

  async 'links do not lead out of the folder of the case'() {
    const naming = (file) => caseText.replace('torque: {hub: 0.3 N.m}', `motion: {hub: {table: {file: ${file}}}}`);
    symlinkSync('../secret.csv', at('home/out.csv'));
    symlinkSync('..', at('home/up'));
    symlinkSync('inside.csv', at('home/in.csv'));
    symlinkSync('round', at('home/round'));
    for (const file of ['out.csv', 'up/secret.csv', 'up/home/up/secret.csv', 'x/../up/secret.csv', 'round', 'n'.repeat(5000)]) {
      const {errors} = await asked(post(main.port, '/api/case', {text: naming(file)}));
      assert.ok(errors.some(({message}) => /outside the folder/.test(message)), file);
    }
    for (const file of ['in.csv', 'up/home/inside.csv']) assert.deepEqual((await asked(post(main.port, '/api/case', {text: naming(file)}))).errors, [], file);
  },

  async 'a case that takes too long or too much costs its own answer alone'() {
    const one = await viewer(caseFile, '--patience', '3', '--memory', '0.7');
    const begun = Date.now();
    const endless = post(one.port, '/api/case', {text: heavyText});
    const others = [];
    for (let k = 0; k < 4; ++k) others.push(status(await post(one.port, '/api/case', {text: caseText})), status(await get(one.port, '/api/progress')));
    assert.ok(others.every((code) => code === 200), String(others));
    const late = await endless;
    assert.equal(status(late), 422);
    assert.match(body(late), /took longer than its limit of 3 s and was stopped/);
    assert.ok(Date.now() - begun < 12000, `${Date.now() - begun} ms`);
    const small = await viewer(caseFile, '--patience', '60', '--memory', '0.1');
    const much = await post(small.port, '/api/case', {text: heavyText});
    assert.equal(status(much), 422, much.slice(0, 200));
    assert.match(body(much), /more memory than its limit of 0.1 GB/);
    small.child.kill('SIGINT');
    assert.equal(await small.ended, 0);
    assert.match(body(await post(one.port, '/api/run', {text: heavyText})), /took longer/);
    assert.equal((await asked(get(one.port, '/api/progress'))).running, false);
    assert.ok(memory(one.child.pid) < 300, `${memory(one.child.pid)} MB`);
    assert.deepEqual(descendants(one.child.pid), [], 'nobody is left computing');
    assert.deepEqual((await asked(post(one.port, '/api/case', {text: caseText}))).errors, []);
    one.child.kill('SIGINT');
    assert.equal(await one.ended, 0);
    // Nor is anything computed for a client that has gone.
    const content = JSON.stringify({text: heavyText});
    const leaving = connect(main.port, '127.0.0.1');
    leaving.on('error', () => {});
    leaving.write(`POST /api/case HTTP/1.1\r\nHost: localhost:${main.port}\r\nX-Lithe-Token: ${main.token}\r\nContent-Type: application/json\r\nContent-Length: ${content.length}\r\n\r\n${content}`);
    await until('the computation', () => descendants(main.child.pid).length === 1);
    leaving.destroy();
    await until('its end', () => descendants(main.child.pid).length === 0, 8000); // sooner than it would be given up
  },

  async 'fields that an anchor gives to several links say so'() {
    const text = caseText.replace('name: bar', 'name: &bar bar').replace('length: 1,', 'length: &long 1,');
    const two = text.replace('torque:', `    - {name: rod, joint: {type: fixed}, rigid: {length: *long, mass: 1}}\ntorque:`);
    const {errors, parameters} = await asked(post(main.port, '/api/case', {text: two}));
    assert.deepEqual(errors, []);
    const shared = (path) => parameters.find((one) => one.path === path).shared;
    for (const path of ['arm.links[0].rigid.length', 'arm.links[1].rigid.length']) assert.deepEqual(shared(path), ['bar.length', 'rod.length']);
    assert.equal(shared('arm.links[0].rigid.mass'), undefined);
  },

  async 'many clients at once are all answered, and memory stays'() {
    const both = () => Promise.all([get(main.port, '/api/session'), post(main.port, '/api/case', {text: caseText})]);
    await both();
    const before = memory(main.child.pid);
    for (let round = 0; round < 2; ++round)
      for (const answers of await Promise.all(Array.from({length: 24}, both))) assert.deepEqual(answers.map(status), [200, 200]);
    const pages = await Promise.all(Array.from({length: 64}, () => get(main.port, '/')));
    assert.ok(pages.every((page) => status(page) === 200 && page.trimEnd().endsWith('</html>')));
    const after = memory(main.child.pid);
    assert.ok(after < before + 100, `${before} MB became ${after} MB`);
  },

  async 'a run gives its series, keeps what it has when stopped, and survives being killed'() {
    const {port, child} = main;
    assert.equal(status(await post(port, '/api/run', {text: caseText})), 200);
    const {run, message} = await outcome(port);
    assert.equal(message, '');
    const texts = await asked(get(port, `/api/runs/${run}`));
    const bytes = Buffer.from(body(await get(port, `/api/runs/${run}/t`)), 'latin1');
    assert.equal(bytes.length, 8 * texts.rows);
    assert.equal(bytes.readDoubleLE(8 * (texts.rows - 1)), 1);
    assert.equal(status(await get(port, `/api/runs/${run}/c${texts.columns.length}`)), 404);
    assert.equal(status(await get(port, `/api/runs/${run + 1}`)), 404);

    assert.equal(status(await post(port, '/api/run', {text: endless})), 200);
    assert.equal(status(await post(port, '/api/run', {text: caseText})), 422, 'one at a time');
    await until('progress', async () => (await asked(get(port, '/api/progress'))).t > 0);
    await post(port, '/api/stop', {});
    const stopped = await outcome(port);
    assert.equal(stopped.message, 'stopped');
    assert.equal((await asked(get(port, `/api/runs/${stopped.run}`))).complete, false);

    await post(port, '/api/run', {text: endless});
    await until('progress', async () => (await asked(get(port, '/api/progress'))).t > 0);
    for (const pid of descendants(child.pid)) process.kill(pid, 'SIGKILL');
    assert.match((await outcome(port)).message, /killed/);

    // Only the last few runs are kept.
    for (const torque of [1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9]) {
      await post(port, '/api/run', {text: caseText.replace('0.3', `0.${torque}`)});
      await outcome(port);
    }
    const {runs} = await asked(get(port, '/api/session'));
    assert.equal(runs.length, 8);
    assert.equal(runs.at(-1).label, 'hub.torque 0.8 N.m → 0.9 N.m');
    assert.equal(new Set(runs.map(({label}) => label)).size, 8, 'each has a name of its own');
    const kept = readdirSync(join(scratch, readdirSync(scratch).find((name) => name.startsWith('lithe-view-'))));
    assert.equal(kept.length, 16, `two files a run: ${kept}`);
  },

  async 'saving writes the case, unless it changed on disk meanwhile'() {
    const edited = caseText.replace('0.3 N.m', '0.4 N.m');
    chmodSync(caseFile, 0o640);
    assert.equal(status(await post(main.port, '/api/save', {text: edited})), 200);
    assert.equal(readFileSync(caseFile, 'utf8'), edited);
    assert.equal(statSync(caseFile).mode & 0o777, 0o640, 'its rights stay');
    writeFileSync(caseFile, '# mine now\n');
    const refused = await post(main.port, '/api/save', {text: caseText});
    assert.equal(status(refused), 422);
    assert.match(body(refused), /has changed on disk/);
    assert.equal(readFileSync(caseFile, 'utf8'), '# mine now\n');
    writeFileSync(caseFile, caseText);
  },

  async 'a taken port is said, or another one found'() {
    const refused = spawnSync(lithe, ['view', caseFile, '--no-open', '--port', String(main.port)], {encoding: 'utf8', timeout: 20000, env: {...process.env, TMPDIR: scratch}});
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, new RegExp(`cannot listen on 127.0.0.1 port ${main.port}`));
    const next = [await viewer(caseFile), await viewer(caseFile)];
    assert.notEqual(next[0].port, next[1].port);
    for (const one of next) one.child.kill('SIGTERM');
    for (const one of next) assert.equal(await one.ended, 0);
    for (const [words, code] of [[['nowhere.yaml'], 2], [[caseFile, '--port', '70000'], 2], [[caseFile, '--host', 'no.such.host.invalid'], 2], [[scratch], 2]])
      assert.equal(spawnSync(lithe, ['view', ...words, '--no-open'], {timeout: 20000}).status, code, words.join(' '));
  },

  async 'beyond this machine it says who can read along'() {
    const open = await viewer(caseFile, '--host', '0.0.0.0', '--port', '0');
    assert.match(open.said(), /anyone with this address/);
    assert.match(open.token, /^[0-9a-f]{32}$/);
    assert.equal(status(await get(open.port, '/api/session', {'X-Lithe-Token': undefined})), 403);
    assert.equal(status(await get(open.port, '/api/session', {Host: `robot.lab:${open.port}`})), 200, 'other machines have other names for it');
    open.child.kill('SIGINT');
    assert.equal(await open.ended, 0);
  },

  async 'a client that dawdles hinders nobody and is cut off'() {
    await until('its end', () => slow.closed, 20000);
    const seconds = (slow.closed - slow.since) / 1000;
    assert.ok(seconds > 3 && seconds < 12, `after ${seconds} s`);
  },

  async 'a second Ctrl-C ends it amid a computation'() {
    const busy = await viewer(caseFile);
    void post(busy.port, '/api/case', {text: heavyText}).catch(() => {});
    await pause(700);
    busy.child.kill('SIGINT');
    await pause(300);
    assert.ok(existsSync(`/proc/${busy.child.pid}`), 'it waits for what is being computed');
    busy.child.kill('SIGINT');
    assert.equal(await busy.ended, 1);
  },

  async 'nothing is compressed for a reader on the same machine'() {
    const answer = await get(main.port, '/', {'Accept-Encoding': 'gzip, br'});
    assert.equal(status(answer), 200);
    assert.doesNotMatch(answer.slice(0, answer.indexOf('\r\n\r\n')), /content-encoding/i);
  },

  async 'Ctrl-C ends it, its run and its folder'() {
    await post(main.port, '/api/run', {text: endless});
    await until('progress', async () => (await asked(get(main.port, '/api/progress'))).t > 0);
    const runs = descendants(main.child.pid);
    assert.equal(runs.length, 1);
    main.child.kill('SIGINT');
    assert.equal(await main.ended, 0);
    await until('the end of the run', () => !existsSync(`/proc/${runs[0]}`), 5000);
    assert.deepEqual(readdirSync(scratch), []);
    // And where the viewer itself is killed, its run does not go on.
    const doomed = await viewer(caseFile);
    await post(doomed.port, '/api/run', {text: endless});
    await until('progress', async () => (await asked(get(doomed.port, '/api/progress'))).t > 0);
    const [orphan] = descendants(doomed.child.pid);
    doomed.child.kill('SIGKILL');
    await doomed.ended;
    await until('the end of the orphan', () => !existsSync(`/proc/${orphan}`) || /^State:\s+Z/m.test(readFileSync(`/proc/${orphan}/status`, 'utf8')), 8000);
  },
};

let failed = 0;
try {
  main = await viewer(caseFile);
  slow = {since: Date.now(), closed: 0};
  const dawdler = connect(main.port, '127.0.0.1');
  const drip = setInterval(() => dawdler.write('G'), 400);
  dawdler.on('error', () => {});
  dawdler.on('close', () => {
    slow.closed = Date.now();
    clearInterval(drip);
  });
  for (const [name, check] of Object.entries(checks)) {
    const start = Date.now();
    try {
      await check();
      console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n        ${error.message}\n${String(error.stack).split('\n').slice(1, 4).join('\n')}`);
    }
  }
} finally {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, {recursive: true, force: true});
}
process.exit(failed > 0 ? 1 : 0);
