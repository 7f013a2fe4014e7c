/**
 * `npm start [-- arguments]`: installs what is missing, then becomes the application. Outside local mode that is what the
 * service runs on, without what makes local chains and what tests. main.ts runs in this very
 * process, so a signal reaches it directly and its exit code is ours.
 */
import { loadEnvironment } from './environment.mjs';
import { becomeProgram } from './program.mjs';
import { nodeComplaint, setupOrExit, startNeeds } from './setup.mjs';

const SAME_KEYPRESS_MS = 300;

// A Node that is too old cannot read the file; setup says so.
if (nodeComplaint(process.versions.node) === null) loadEnvironment();
await setupOrExit(startNeeds(process.env));
hearEachSignalOnce();
await becomeProgram('main.ts');

/**
 * Ctrl-C reaches every process of the terminal, and npm passes it on to its child once more. Without this the
 * application would take one keypress for two, and the second usually means "do not wait for a clean end".
 */
function hearEachSignalOnce() {
  const emit = /** @type {(...event: unknown[]) => boolean} */ (process.emit.bind(process));
  /** @type {Map<unknown, number>} */
  const heardAtMs = new Map();
  /** @param {unknown[]} event */
  const emitOnce = (...event) => {
    const [name] = event;
    if (name === 'SIGINT' || name === 'SIGTERM') {
      const nowMs = performance.now();
      const lastMs = heardAtMs.get(name) ?? -Infinity;
      heardAtMs.set(name, nowMs);
      if (nowMs - lastMs < SAME_KEYPRESS_MS) return true;
    }
    return emit(...event);
  };
  process.emit = /** @type {typeof process.emit} */ (emitOnce);
}
