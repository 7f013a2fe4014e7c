import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { checkRoles, ConfigError, ROLES, secretValues, type Config, type Role } from './core/config/config.ts';
import { createFailpoint } from './service/failpoint.ts';
import { loadConfig } from './service/keystore/load.ts';
import { createLog } from './service/log.ts';
import type { OpenBeside } from './service/options.ts';
import type { Service } from './service/start.ts';

/** Between two looks at whether it serves. */
const LOOK_EVERY_MS = 250;
/** What is not finished by then goes on at the next start. Supervisors usually kill after 30 s. */
const STOP_LIMIT_MS = 28_000;

/** Starts the roles named on the command line (api, worker, bot; all without one). With `--reset`, on new play money. */
async function main(): Promise<void> {
  // A reader of these lines that goes away, such as `head`, must not end a service that moves money.
  for (const lines of [process.stdout, process.stderr]) lines.on('error', () => undefined);
  const config = loadConfig(process.env);
  const roles = readRoles(process.argv.slice(2));
  checkRoles(config, roles);
  const local = config.mode === 'local';
  if (local) say('PLAY MONEY: nothing here is real. This is pennypost in local mode, on this computer only.');
  const release = await hold(config, roles);
  if (process.argv.includes('--reset')) {
    await release();
    await reset(config);
    await hold(config, roles);
  }

  await assertApproved(config, roles);
  const failpoint = createFailpoint(process.env['FAILPOINT'], local);
  // Loaded only now: a wrong value is reported at once, and loading everything else takes seconds.
  const { startService } = await import('./service/start.ts');
  if (!local) await showOffers(config, roles);
  const secrets = secretValues(config);
  const log = createLog({ level: config.logLevel, dataDir: local ? config.dataDir : null, secrets: () => secrets });
  dieWithALine(log);
  const console = await openConsole(config, roles, log);
  const closing = new AbortController();
  const running: { service: Service | null } = { service: null };
  stopOnSignal(closing, running);
  const service = await startService({
    config,
    roles,
    log,
    failpoint,
    progress: local ? say : () => undefined,
    addSecrets: (more) => secrets.push(...more),
    closing: closing.signal,
    onRefused: fail,
    ...(console && { beside: console }),
  }).catch((error: unknown) => {
    // What waited was told to end.
    if (closing.signal.aborted) process.exit(0);
    throw error;
  });
  running.service = service;
  if (closing.signal.aborted) return void (await service.close().then(() => process.exit(0)));
  say(`Listening on ${service.url}`);
  if (!(await untilOk(`${service.url}${local ? '/health' : '/health/ready'}`, closing.signal))) return;
  if (local) greet(service, config);
  else say('Ready.');
}

/** Real money moves only with a configuration and a release that a doctor has found sound. */
async function assertApproved(config: Config, roles: readonly Role[]): Promise<void> {
  if (config.mode !== 'mainnet') return;
  const { assertPass, releaseOf } = await import('./service/doctor/pass.ts');
  await assertPass(config, releaseOf(fileURLToPath(new URL('.', import.meta.url))), roles);
}

/** With the API, as its port is; loaded only where there is one. */
async function openConsole(config: Config, roles: readonly Role[], log: Logger): Promise<OpenBeside | null> {
  if (config.admin.port === undefined || !roles.includes('api')) return null;
  const { listenForConsole } = await import('./service/console/listen.ts');
  return listenForConsole({ config, log });
}

/** A platform that lacks one setting would be missing without a word, so all of them are told. */
async function showOffers(config: Config, roles: readonly Role[]): Promise<void> {
  const { listOffers, offerLines } = await import('./service/offers/table.ts');
  say(`pennypost on ${config.mode}:`);
  offerLines(listOffers(config, roles)).forEach(say);
}

function readRoles(args: readonly string[]): readonly Role[] {
  const wanted = args.filter((arg) => arg !== '--reset');
  const unknown = wanted.filter((arg) => !ROLES.some((role) => role === arg));
  if (unknown.length > 0) {
    throw new Error(`Unknown argument ${unknown.join(' ')}. Known: ${ROLES.join(', ')}, --reset.`);
  }
  return wanted.length === 0 ? ROLES : ROLES.filter((role) => wanted.includes(role));
}

/**
 * Local mode with its embedded database is one instance: a second one would stop the chains of the first with a `--reset`,
 * and serve its books under another address. Roles apart may share them.
 */
async function hold({ mode, dataDir, databaseUrl }: Config, roles: readonly Role[]): Promise<() => Promise<void>> {
  if (mode !== 'local' || databaseUrl.kind !== 'sqlite') return async () => undefined;
  const { holdDataDir } = await import('./local/processes/data-dir.ts');
  return holdDataDir(dataDir, roles);
}

/** Play money only: deletes the local chain and everything built on it. */
async function reset(config: Config): Promise<void> {
  if (config.mode !== 'local') throw new Error('--reset throws all data away and works in local mode only.');
  const { stopLocalMode } = await import('./local/mode.ts');
  await stopLocalMode(config.dataDir);
  rmSync(config.dataDir, { recursive: true, force: true });
  say('Started over: the old play money is gone.');
}

/**
 * The first signal takes no more requests, finishes what is in hand and closes; a start that waits for something ends at
 * once. A second signal does not wait.
 */
function stopOnSignal(closing: AbortController, running: { service: Service | null }): void {
  const stop = (): void => {
    if (closing.signal.aborted) process.exit(1);
    closing.abort();
    say('Stopping: what is under way is finished first. The same once more ends it at once.');
    setTimeout(() => fail(new Error(`Not closed after ${STOP_LIMIT_MS / 1000} s.`)), STOP_LIMIT_MS).unref();
    running.service?.close().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/**
 * A fault that nothing handles ends the process, since the rows are the truth and a supervisor starts it again. Node's own
 * last words would show what a query was asked with, or a password; the log scrubs them.
 */
function dieWithALine(log: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'a fault that nothing handled; the process ends');
    fail(new Error('Ended by a fault that nothing handled: the log says which.'));
  });
}

/** Without a limit: what is waited for is told meanwhile. False when the service is stopped first. */
async function untilOk(url: string, stopping: AbortSignal): Promise<boolean> {
  while (!stopping.aborted) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return !stopping.aborted;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

function greet(service: Service, config: Config): void {
  say('');
  say(`Ready. Open ${service.url}/chat and send your first tip:  /tip @x:alice 1`);
  say(
    `Pay by API:   curl -i -X POST ${service.url}/payments/x/pay -H 'content-type: application/json' -d '{"receiver":"alice","amount":1}'`,
  );
  const { localPages, payersFile } = service.environment;
  say(`Mail:         ${localPages?.mailbox ?? ''}`);
  say(`Websites:     ${localPages?.website ?? ''}`);
  say(`Test payers:  ${payersFile ?? ''}`);
  say(`Log:          ${config.dataDir}/pennypost.log`);
  say('Ctrl-C stops it; the next start goes on where it was.');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One line for what the operator can fix; the stack only for everything else. */
function fail(error: unknown): void {
  const lines = error instanceof ConfigError || error instanceof Error ? error.message : String(error);
  process.stderr.write(`${lines}\n`);
  if (process.env['LOG_LEVEL'] === 'debug' && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
  process.exit(1);
}

await main().catch(fail);
