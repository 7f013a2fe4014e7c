/** Commands, settings, programs and files that the documents name are there, and no command is without a word. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VARIABLE_NAMES, SECRET_NAMES } from '../../core/config/variables.ts';
import { isIgnored } from '../deploy/ignored.ts';
import { runOperator } from '../../service/operator/run.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOR_READERS = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'ARCHITECTURE.md'];
const DOCUMENTS = [
  ...FOR_READERS,
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const ALL = DOCUMENTS.map(textOf).join('\n');

/** What stands in code: only there a name means the thing itself. */
const codeOf = (text: string): string[] =>
  [...text.matchAll(/```\w*\n(.*?)```|`([^`\n]+)`/gs)].map(([, block, span]) => block ?? span ?? '');

const matches = (texts: readonly string[], pattern: RegExp): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))),
];

/** Those of clients and of programs beside ours, and words of AWS and A2A that look like settings. */
const OF_OTHERS = /^(?:PENNYPOST_|OTEL_|AWS_|SIGN_VERIFY$|ECC_|PAYMENT_(?:REQUIRED|CONFIRMED)$)/;
const SETTINGS: readonly string[] = [...VARIABLE_NAMES, ...SECRET_NAMES.map((name) => `${name}_FILE`), 'NODE_ENV'];

async function commands(): Promise<string[]> {
  const nothing = () => {
    throw new Error('help needs no configuration');
  };
  const { text } = await runOperator(nothing, ['help'], 0);
  return [...text.matchAll(/^npm run operator -- ([a-z][a-z-]+)/gm)].map(([, name = '']) => name);
}

test('help lists the commands', async () => {
  expect(await commands()).toEqual(expect.arrayContaining(['status', 'resume', 'keystore-create', 'move']));
});

describe.each(DOCUMENTS)('%s', (path) => {
  const code = codeOf(textOf(path));

  test('names commands of the operator that are there', async () => {
    const known = await commands();
    expect(matches(code, /\boperator (?:-- )?([a-z][a-z-]+)/g).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('names programs of package.json that are there', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    expect(matches(code, /\bnpm run ([a-z][a-z:-]*)/g).filter((name) => !(name in scripts))).toEqual([]);
  });

  test('names settings that are read', () => {
    const named = matches(code, /(?<![\w/.])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w(])/g).filter(
      (name) => !OF_OTHERS.test(name),
    );
    expect(named.filter((name) => !SETTINGS.includes(name))).toEqual([]);
  });

  test('names files that are there', () => {
    const files = matches(
      code,
      /^((?:api|bot|chain|cli|client|core|db|deploy|docs|identity|local|queue|scripts|service|test|texts|web|worker)\/[\w./-]+\.\w+)$/g,
    );
    // What is ignored is the reader's own.
    const own = (file: string) => !isIgnored(textOf('.gitignore'), file);
    expect(files.filter((file) => own(file) && !existsSync(join(ROOT, file)))).toEqual([]);
    const links = [...textOf(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)(?:#[^)]*)?\)/g)].map(
      ([, to = '']) => to,
    );
    const folder = path.startsWith('docs/') ? 'docs' : '.';
    expect(links.filter((to) => !existsSync(join(ROOT, folder, to)))).toEqual([]);
  });
});

test('each command of the operator is in a document', async () => {
  const code = codeOf(ALL).join('\n');
  expect((await commands()).filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});
