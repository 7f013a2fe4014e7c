import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { parseConfig } from '../../core/config/config.ts';
import { stopLocalMode } from '../../local/mode.ts';
import { startService, type Service } from '../../service/start.ts';
import { folderOf, topFolderOf } from './tree.ts';

/** Long enough for every periodic loop to run once. */
const IDLE_MS = 20_000;
const PAID_WITHIN_MS = 60_000;
/** After the receipt: the chat is told and the payment becomes final. */
const AFTERWARDS_MS = 5_000;

export type TipFiles = { functions: number; files: string[]; byFolder: { folder: string; files: number }[] };

/**
 * Starts the service on new play money in this process, sends one `/tip` in the web chat, and answers which files of
 * `root` ran for it. What also runs without a tip is left out, and so is module loading.
 */
export async function measureTip(root: string): Promise<TipFiles> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pennypost-tip-'));
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const service = await start(dataDir);
  try {
    const chat = await openChat(service.url);
    await chat.untilTold(/play (money|USDC)/i);
    await takeFunctions(session, root);
    await sleep(IDLE_MS);
    const idle = await takeFunctions(session, root);
    await chat.say('/tip @x:alice 1');
    await chat.untilTold(/Open the receipt/);
    await sleep(AFTERWARDS_MS);
    const ran = [...(await takeFunctions(session, root))].filter((name) => !idle.has(name));
    chat.close();
    return summary(ran);
  } finally {
    session.disconnect();
    await service.close();
    await stopLocalMode(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function start(dataDir: string): Promise<Service> {
  return startService({
    config: parseConfig({ DATA_DIR: dataDir, PORT: '0', LOCAL_BLOCK_MS: '500' }),
    roles: ['api', 'worker', 'bot'],
    log: pino({ level: 'silent' }),
    failpoint: () => undefined,
    progress: () => undefined,
    addSecrets: () => undefined,
  });
}

/** A page of the web chat, without a browser. */
async function openChat(url: string) {
  const page = await fetch(`${url}/chat`);
  const headers = { cookie: page.headers.getSetCookie()[0]?.split(';')[0] ?? '', origin: url };
  const closing = new AbortController();
  const stream = await fetch(`${url}/chat/stream`, { headers, signal: closing.signal });
  let told = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    const toText = (part: unknown) => (part instanceof Uint8Array ? decoder.decode(part, { stream: true }) : '');
    for await (const part of stream.body ?? []) told += toText(part);
  })().catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });
  return {
    async say(text: string) {
      const body = JSON.stringify({ text, event_id: 'measured-tip' });
      const answer = await fetch(`${url}/chat/messages`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      if (!answer.ok) throw new Error(`the chat answered ${answer.status} to a tip`);
    },
    async untilTold(pattern: RegExp) {
      const endMs = Date.now() + PAID_WITHIN_MS;
      while (!pattern.test(told)) {
        if (Date.now() > endMs) throw new Error(`the chat did not say ${pattern} in ${PAID_WITHIN_MS} ms`);
        await Promise.race([sleep(50), reading]);
      }
    },
    close: () => closing.abort(),
  };
}

/**
 * The functions that ran since the last call, as `file offset`. The function that spans its whole file is its loading.
 */
async function takeFunctions(session: Session, root: string): Promise<Set<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = new Set<string>();
  for (const { url, functions } of result) {
    const file = url.startsWith('file://') ? relative(root, fileURLToPath(url)) : '..';
    if (file.startsWith('..') || file.startsWith('node_modules') || file.startsWith('scripts')) continue;
    for (const { functionName, ranges } of functions) {
      const range = ranges[0];
      const loads = functionName === '' && range?.startOffset === 0;
      if (range && range.count > 0 && !loads) ran.add(`${file} ${range.startOffset}`);
    }
  }
  return ran;
}

function summary(functions: readonly string[]): TipFiles {
  const files = [...new Set(functions.map((name) => name.slice(0, name.lastIndexOf(' '))))].sort();
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = topFolderOf(file) === '.' ? folderOf(file) : topFolderOf(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const byFolder = [...counts].map(([folder, count]) => ({ folder, files: count }));
  return { functions: functions.length, files, byFolder: byFolder.sort((one, other) => other.files - one.files) };
}
