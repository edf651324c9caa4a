// The page's types: node check_types.mjs FOLDER. Exits with 77 where npm could not fetch what the page is made of.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

const folder = process.argv[2];
if (existsSync(join(folder, 'not_fetched'))) process.exit(77);
const compiler = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
process.exit(spawnSync(process.execPath, [compiler, '--noEmit', '--project', folder], {stdio: 'inherit'}).status ?? 1);
