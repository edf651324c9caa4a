// Bundles the page: TypeScript, styles and libraries into one HTML file without data, and that as a C++ source.
//   node bundle.mjs OUT_FOLDER
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, 'dist');

async function bundled(entry) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['es2021'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  // Nothing inside may end the element that it stands in.
  return result.outputFiles[0].text.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

const [script, style] = await Promise.all([bundled('main.ts'), bundled('style.css')]);
const licences = ['three', 'uplot']
  .map((name) => `${name}\n${readFileSync(join(here, 'node_modules', name, 'LICENSE'), 'utf8').trim()}`)
  .join('\n\n')
  .replaceAll('--', '- -');
const page = readFileSync(join(here, 'src', 'page.html'), 'utf8')
  .replace('<!--licences-->', () => `<!--\n${licences}\n-->`)
  .replace('<!--style-->', () => `<style>${style}</style>`)
  .replace('<!--script-->', () => `<script>${script}</script>`);

// As string literals of a length that every compiler takes.
const pieces = [];
const bytes = Buffer.from(page, 'utf8');
for (let at = 0; at < bytes.length; ) {
  let end = Math.min(at + 12000, bytes.length);
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) --end; // not within a character
  pieces.push(`R"lithe~page(${bytes.subarray(at, end).toString('utf8')})lithe~page"`);
  at = end;
}
const source = `// Made by web/bundle.mjs.
#include <string_view>

namespace lithe {
std::string_view report_page() {
  static constexpr char page[] = ${pieces.join('\n')};
  return {page, sizeof page - 1};
}
}  // namespace lithe
`;
mkdirSync(out, {recursive: true});
writeFileSync(join(out, 'page.html'), page);
writeFileSync(join(out, 'report_page.cpp'), source);
