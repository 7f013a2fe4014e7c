import { runProgram } from './bench/program.ts';

/** `npm run bench -- <name>`: runs `scripts/bench/<name>.ts` or `test/bench/<name>.ts`, which prints what it measured. */
const BENCHES: Record<string, () => Promise<{ run: () => Promise<void> }>> = {
  store: () => import('./bench/store.ts'),
  rewards: () => import('./bench/rewards.ts'),
  'chat-burst': () => Promise.resolve({ run: () => runProgram('chat-burst') }),
  processes: () => Promise.resolve({ run: () => runProgram('processes') }),
  idle: () => Promise.resolve({ run: () => runProgram('idle') }),
  backlog: () => Promise.resolve({ run: () => runProgram('backlog') }),
  challenges: () => Promise.resolve({ run: () => runProgram('challenges') }),
};

const name = process.argv[2] ?? '';
const load = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (load) {
  const { run } = await load();
  await run();
} else {
  console.error(`no benchmark is called "${name}"; there are: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 1;
}
