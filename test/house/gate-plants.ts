/**
 * Files of a scratch tree in which every gate finds something. A line that ends with `// ✗ gate` is found by that gate;
 * every other line by none. What is about whole files and folders stands in `FOUND_ELSEWHERE`.
 */
export const GATE_PLANTS: Record<string, string> = {
  'api/names.ts': `
export const same = (network: string) => network === 'base'; // ✗ network
export const other = (network: string) => 'solana' !== network; // ✗ network
export const listed = (networks: string[]) => networks.includes('solana'); // ✗ network
export const begins = (caip2: string) => caip2.startsWith('solana:'); // ✗ network
export function title(network: string): string {
  switch (network) {
    case \`base\`: // ✗ network
      return 'Base';
    default:
      return 'another';
  }
}
export const family = (profile: { family: string }) => profile.family === 'evm';
export const named = { base: 'Base', network: 'solana' };
export const text = (kind: string) => kind === 'basement' || 'base' + kind === kind;
`,
  'cli/present.ts': `
const HEADER = 'PAYMENT-SIGNATURE';
const REFUSED = 402;
export const inObject = (proof: string) => fetch('/', { headers: { 'payment-signature': proof } }); // ✗ header
export const byName = (proof: string) => ({ [HEADER]: proof }); // ✗ header
export const called = (headers: Headers, proof: string) => headers.set('X-Payment', proof); // ✗ header
export const isRefused = (status: number) => status === REFUSED; // ✗ 402
export const isEither = (status: number) => [400, 402].includes(status); // ✗ 402
export const read = (headers: Headers) => headers.get(HEADER) ?? { HEADER };
`,
  'bot/payer.ts': `
export function assign(headers: Record<string, string>, proof: string) {
  headers['payment-signature'] = proof; // ✗ header
}
export const isUnpaid = (answer: { status: number }) => answer.status !== 402; // ✗ 402
export const refusal = { status: 402, text: 'The payment-signature header is required.' };
`,
  'queue/limits.ts': `
const late = AbortSignal.timeout(5_000);
export const either = (caller: AbortSignal) => AbortSignal.any([caller, late]); // ✗ limit
`,
  'queue/callers.ts': `
export const both = (one: AbortSignal, other: AbortSignal) => AbortSignal.any([one, other]);
`,
  'queue/late.ts': `
export const late = () => AbortSignal.timeout(5_000);
`,
  'queue/runner.ts': `export const running = new Map<string, Promise<void>>();\n`,
  'worker/flight.ts': `
export type Flight = { startedMs: number; landing: Promise<string> };
export async function fly(): Promise<string> {
  return 'landed';
}
export const steps: Map<string, () => Promise<void>> = new Map();
`,
  'worker/running.ts': `
import { fly, type Flight } from './flight.ts';

export const plain = new Map<string, Promise<void>>(); // ✗ map
export const inside: ReadonlyMap<string, Flight> = new Map(); // ✗ map
export type ByName = Record<string, Promise<void>[]>; // ✗ map
export type Index = { [name: string]: Promise<void> }; // ✗ map
const called = new Map(); // ✗ map
called.set('one', fly());
const waiting = { turns: new WeakMap() }; // ✗ map
waiting.turns.set({}, Promise.resolve());
const chained = new Map(); // ✗ map
const last = Promise.resolve().then(fly);
chained.set('last', last);
export const built = new Map(['one'].map((name) => [name, fly()])); // ✗ map
const settled = new Map();
settled.set('one', await fly());
export const starts = new Map<string, () => Promise<void>>();
export const all = new Set<Promise<void>>();
export const counts = new Map([['one', 1]]);
`,
  'db/store/states.ts': `
export const plain = (db: Db) => db.update(orders).set({ status: 'failed' }); // ✗ state
export const guarded = (db: Db) =>
  db
    .update(orders)
    .set({ failure: null, 'status': 'failed' }) // ✗ state
    .where(isOpen);
const ended = { status: 'failed', endedAtMs: 1 } as const;
export const named = (db: Db) => db.update(orders).set(ended); // ✗ state
export const spread = (db: Db, isLate: boolean) => db.update(orders).set({ ...(isLate ? ended : {}) }); // ✗ state
export const beside = (db: Db) => db.update(orders).set({ shownAtMs: 1 }).where(eq(orders.status, 'failed'));
export const moved = (db: Db) => move(db, orders, { where: isOpen, set: { status: 'failed' } });
export const kept = new Map().set('status', { status: 'failed' });
`,
  'db/carriers/bytes.ts': `
export const brand = (db: Db) => db as SigningDb; // ✗ signing
export const write = (db: SigningDb, { tables }: Store) => db.insert(tables.carrierTransactions).values([]); // ✗ bytes
export const other = (db: Db, { tables }: Store) => db.insert(tables.carriers).values([]);
`,
  'db/carriers/others.ts': `
export const again = (db: unknown) => (db as SigningDb).select(); // ✗ signing
export const rewrite = (db: Db) => db.insert(carrierTransactions).values([]); // ✗ bytes
export const given = (db: SigningDb) => db as Db;
`,
  'db/long.ts': `export function long() { // ✗ function\n${'  void 0;\n'.repeat(69)}}\n`,
  'db/fits.ts': `export function fits() {\n${'  void 0;\n'.repeat(68)}}\n`,
  'db/tables/wide.ts': `export function wide() {\n${'  void 0;\n'.repeat(70)}}\n`,
  'db/large.ts': 'export {};\n'.repeat(301),
  'db/full.ts': 'export {};\n'.repeat(300),
  'api/rooms/one.ts': `import type { Two } from './inner/two.ts';\nexport type One = { two: Two };\nexport type Half = 1;\n`,
  'api/rooms/inner/two.ts': `export type Two = 2;\n`,
  'api/rooms/inner/back.ts': `export type Back = import('../other.ts').Other;\n`,
  'api/rooms/other.ts': `export type Other = 1;\n`,
  'identity/first.ts': `import { second } from './second.ts';\nexport const first = () => second;\n`,
  'identity/second.ts': `export { first as second } from './first.ts';\n`,
  'identity/third.ts': `import { first } from './first.ts';\nexport const third = first;\n`,
  ...manyFiles('test/crowded', 21),
  ...manyFiles('test/roomy', 20),
};

/** By gate, what it finds that is no line of a file. */
export const FOUND_ELSEWHERE: Record<string, string[]> = {
  'folders in cycles': ['api/rooms', 'api/rooms/inner'],
  'files in cycles': ['identity/first.ts', 'identity/second.ts'],
  'folders with more than 20 files': ['test/crowded'],
  'files above 300 lines': ['db/large.ts'],
};

function manyFiles(folder: string, count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${folder}/file-${index}.ts`, 'export {};\n']),
  );
}
