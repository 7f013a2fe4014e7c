import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { loadCompiledTests, startCompiledPrograms } from './test/support/compiled-program.ts';
import { beginRun } from './test/support/whole-run.ts';

/**
 * These share a few processes with each other, because loading the program and its libraries anew for each file costs more
 * than many of the tests. They start their chains and services in their own process or in children, and end them. What looks
 * at processes, memory or signals, or opens hundreds of connections, has a process of its own.
 */
const SHARING = [
  'test/{api,attack,bench,bot,chain,cli,client,contract,core,db,deploy,docs}/**/*.test.ts',
  'test/{fakes,flow,house,identity,networks,packages,texts,web,worker}/**/*.test.ts',
  'test/local/identity/**/*.test.ts',
  'test/local/{evm,solana}/!(network).test.ts',
  'test/local/{identity,payers/payers,processes/{data-dir,directory-lock,post,process-id,whole-file}}.test.ts',
  'test/queue/{address,by-key,gather,job,notifier,rate-limits,runner}.test.ts',
  'test/service/**/!(start|metrics).test.ts',
  'test/service/{keystore/start,readiness/starting-app}.test.ts',
];

/** What `npm run torture` runs, in slices too, and `npm test` does not: nothing is tested twice. */
const LEFT_OUT = process.env['PENNYPOST_TORTURE'] === undefined ? ['test/**/*.torture.test.ts'] : [];

/** Those that wait longest, most of the time for blocks and for processes. */
const WAITING = /\/test\/(attack|flow|networks)\//;

/**
 * Those that wait stand evenly between those that compute, to the end, so that one kind always works while the other waits. By
 * itself vitest goes by the size of the files when it has no figures of an earlier run, and the smallest of ours wait longest.
 */
class InTurns extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const sorted = await super.sort(files);
    // Between two that share a process there may be none with one of its own: the process would end.
    const alone = sorted.filter(({ project }) => project.config.isolate);
    const sharing = sorted.filter(({ project }) => !project.config.isolate);
    const waiting = sharing.filter(({ moduleId }) => WAITING.test(moduleId));
    const computing = sharing.filter(({ moduleId }) => !WAITING.test(moduleId));
    const share = Math.floor(computing.length / Math.max(1, waiting.length));
    const turns = waiting.flatMap((file, index) => [file, ...computing.slice(index * share, (index + 1) * share)]);
    return [...alone, ...turns, ...computing.slice(waiting.length * share)];
  }
}

beginRun();
const compiledTests = await loadCompiledTests();

export default defineConfig({
  plugins: [startCompiledPrograms(), compiledTests],
  test: {
    // Real chains, databases and Redis servers run beside the tests, and while one test waits for a block another computes:
    // three keep two cores busy. More only load the program more often, and each waits longer with all that it runs.
    pool: 'forks',
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Most objects of a test die young: with room for them, less is copied about.
    execArgv: ['--max-semi-space-size=32'],
    setupFiles: ['test/support/own-fetch.ts'],
    server: { deps: { external: [/\/\.cache\/programs\//] } },
    // Hardly any test takes a tenth of this where nothing else runs. It is for what hangs, not for what is slow: a machine of
    // a third of the speed, with three workers on it, must never fail for that.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    // A port that is free when it is chosen may be another program's when it is opened, and no test can help that. Nothing else
    // is tried twice here: what comes only sometimes can be a payment that is stuck. What fails beside all others is run once
    // more by itself (scripts/whole-tests.mjs), and named.
    retry: { count: 1, condition: /listen EADDRINUSE/ },
    projects: [
      {
        extends: true,
        test: { name: 'parts', include: SHARING, exclude: [...configDefaults.exclude, ...LEFT_OUT], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'wholes',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARING, ...LEFT_OUT],
        },
      },
    ],
    sequence: { sequencer: InTurns },
    // A test left with .only would switch the others off without a word.
    allowOnly: false,
    reporters: ['default'],
    slowTestThreshold: 5_000,
  },
});
