import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino, type Logger } from 'pino';
import { makeDataDir } from '../local/processes/make-data-dir.ts';

/**
 * The service's log, one JSON line an event. Local mode keeps it in a file, so that the terminal shows what a person
 * needs. Every line is scrubbed of the exact values of the loaded secrets: redaction by field name misses what a
 * library writes into a message.
 */
export function createLog(options: {
  level: string;
  dataDir: string | null;
  secrets: () => readonly string[];
}): Logger {
  const target = options.dataDir === null ? process.stdout : openFile(options.dataDir);
  const scrubbed = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      target.write(scrub(line, options.secrets()));
      done();
    },
  });
  return pino({ level: options.level, base: null, serializers: SERIALIZERS }, scrubbed);
}

/** What a database was asked with: addresses of receipts, names, notes. */
const ASKED_WITH = /\nparams: [\s\S]*?(?=\n {4}at |\ncaused by: |$)/g;
const OF_ROWS = ['params', 'parameters', 'detail', 'where'];

const withoutValues = (text: unknown): unknown => (typeof text === 'string' ? text.replace(ASKED_WITH, '') : text);

/** An error without the values of the statement that failed: its text is enough to find the fault. */
function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const shown = Object.entries(pino.stdSerializers.err(error)).filter(([key]) => !OF_ROWS.includes(key));
  return Object.fromEntries(shown.map(([key, value]: [string, unknown]) => [key, withoutValues(value)]));
}

/** `error` and `reason` are the text of an error, where its stack would say nothing more. */
const SERIALIZERS = { err: toLoggedError, error: withoutValues, reason: withoutValues };

function openFile(dataDir: string) {
  makeDataDir(dataDir);
  const file = pino.destination({ dest: join(dataDir, 'pennypost.log'), mkdir: true, sync: true });
  // Without a listener a full disk would make every line of the log throw where it is written.
  file.on('error', () => undefined);
  return file;
}

export function scrub(line: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '[secret]')), line);
}
