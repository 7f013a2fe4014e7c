import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SETTING = '__defProp(target,"name",{value,configurable:true});';
const OF_ALL = `var __name=(target,value)=>${SETTING}`;
const OF_FEW = `var __name=(target,value)=>target.prototype===undefined?target:${SETTING}`;
/** Where it begins a statement; in quotes it is a text, such as those of this file, which is compiled with its tests. */
const ANY = /(?:^|[;}])\s*var __name\b/;

/**
 * The compiler sets the name of every function each time one is made, which takes longer than most of them run. Classes need
 * that, because it may have renamed them. Arrows and async functions, of which a payment makes thousands, have no prototype
 * and keep the name that the language gives them.
 * @param {string} folder
 */
export function nameFewer(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const text = name.endsWith('.mjs') ? readFileSync(path, 'utf8') : '';
    if (text.includes(OF_ALL)) writeFileSync(path, text.replace(OF_ALL, OF_FEW));
    else if (ANY.test(text)) throw new Error(`${path}: the compiler gives names in another way now`);
  }
}
