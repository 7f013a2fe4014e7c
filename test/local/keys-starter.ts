/** A process that needs the keys of local mode, and says which ones it got: `tsx keys-starter.ts FILE`. */
import { ensureLocalKeys } from '../../local/keys.ts';

console.log(JSON.stringify(ensureLocalKeys(process.argv[2]!)));
