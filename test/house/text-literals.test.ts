import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

/**
 * A sentence that states a number of days, a limit or a fee goes on stating it when the setting or the rule has changed.
 * So no text has such a number in it: settings come in as arguments, constants from `texts/rules/rules.ts`.
 */
const ROOT = resolve(import.meta.dirname, '../..');

/** Where sentences for people stand. */
const READ_BY_PEOPLE = [
  /^texts\/.*\.ts$/,
  /^api\/pages\/[^/]*\.ts$/,
  /^api\/claims\/pages\/[^/]*\.ts$/,
  /^api\/(?:notices|rewards)\/page\.ts$/,
  /^bot\/(?:pay|wallet|web)\/[^/]*\.ts$/,
];

/** What a number of the rules counts, in the words of each language. */
const UNITS = [
  'days?|hours?|minutes?|seconds?|weeks?|months?|people|persons|recipients|characters|decimals|places|payers|tips|dollars?|cents?',
  'Tage?n?|Stunden?|Minuten?|Sekunden?|Wochen?|Monate?n?|Personen|Leute|Zeichen|Nachkommastellen|Orte|Trinkgelder',
  'días?|horas?|minutos?|segundos?|semanas?|mes(?:es)?|personas|caracteres|decimales|lugares|propinas|dólares',
  'dias?|mês|pessoas|casas|gorjetas|dólar(?:es)?',
  'USDC|USD|percent|Prozent|por ciento|por cento',
].join('|');
const JAPANESE_UNITS = '日|時間|分|秒|週間|か月|人|文字|桁|か所|件|ドル';
const DIGITS = '(?<![\\w.$#/:])[0-9０-９]+(?:[.,][0-9]+)?';
const NUMBER_WORDS = [
  'ten|twelve|fifteen|twenty|thirty|sixty|ninety|hundred',
  'zehn|zwölf|fünfzehn|zwanzig|dreißig|sechzig|neunzig|hundert',
  'diez|doce|quince|veinte|treinta|sesenta|noventa|cien',
  'dez|doze|quinze|vinte|trinta|sessenta|cem',
].join('|');
const STATED = new RegExp(
  [
    `${DIGITS}[\\s\\u00a0-]?(?:(?:${UNITS})(?![\\p{L}\\p{N}])|%)`,
    `${DIGITS}[\\s\\u00a0]?(?:${JAPANESE_UNITS})`,
    // As commands take them: 30s, 24h.
    `${DIGITS}[smhd](?![\\p{L}\\p{N}])`,
    `(?<![\\p{L}\\p{N}])(?:${NUMBER_WORDS})(?![\\p{L}\\p{N}])`,
  ].join('|'),
  'giu',
);

/** Numbers that may stand in a text, as they stand there. A row that nothing needs any more fails below. */
const ALLOWED: readonly { says: string; because: string }[] = [
  { says: 'sends 1 USDC to alice', because: 'what the example before it, /tip @x:alice 1, does' },
  { says: 'sendet 1 USDC an alice', because: 'the same in German' },
  { says: 'envía 1 USDC a alice', because: 'the same in Spanish' },
  { says: 'envia 1 USDC para alice', because: 'the same in Portuguese' },
  { says: 'alice に 1 USDC を送ります', because: 'the same in Japanese' },
  { says: 'sends 5 USDC to an address of yours', because: 'what the example before it, /withdraw 5, does' },
  { says: 'sendet 5 USDC an eine Adresse', because: 'the same in German' },
  { says: 'envía 5 USDC a una dirección', because: 'the same in Spanish' },
  { says: 'envia 5 USDC para um endereço', because: 'the same in Portuguese' },
  { says: 'は 5 USDC を、', because: 'the same in Japanese' },
  { says: 'how 5 USDC of the treasury would be shared', because: 'what the example before it, /reward … 5, does' },
  { says: 'wie 5 USDC aus der Kasse', because: 'the same in German' },
  { says: 'cómo se repartirían 5 USDC', because: 'the same in Spanish' },
  { says: 'como 5 USDC da tesouraria', because: 'the same in Portuguese' },
  { says: '資金の 5 USDC をどう分けるか', because: 'the same in Japanese' },
  { says: '30s · 5m · off', because: 'examples of what can be typed' },
  { says: '1h · off', because: 'an example of what can be typed' },
  { says: "code('30s')", because: 'an example of what can be typed' },
  { says: "code('5m')", because: 'an example of what can be typed' },
  { says: "code('30m')", because: 'an example of what can be typed' },
  { says: "code('1h')", because: 'an example of what can be typed' },
  { says: '(1 USDC is worth one US dollar)', because: 'what USDC is, whatever our rules are' },
  { says: '(1 USDC ist einen US-Dollar wert)', because: 'the same in German' },
  { says: '(1 USDC vale un dólar', because: 'the same in Spanish' },
  { says: '(1 USDC vale um dólar', because: 'the same in Portuguese' },
  { says: '1 USDC は 1 米ドル相当', because: 'the same in Japanese' },
  { says: '1 件ごと', because: '“each”, for tips' },
  { says: '1 日 1 回', because: '“daily”' },
  { says: "'1 day'", because: 'the singular of an argument' },
  { says: "'1 Tag'", because: 'the singular of an argument' },
  { says: "'1 día'", because: 'the singular of an argument' },
  { says: "'1 dia'", because: 'the singular of an argument' },
  { says: '1分以内', because: '“within a minute”: soon, and no limit of ours' },
  { says: '1分ほど', because: '“about a minute”: how long a person takes or should wait' },
  { says: '1分後', because: '“in a minute”: when to try again' },
  { says: '1 分後', because: '“in a minute”: when to try again' },
  { says: '1分お待ちください', because: '“wait a minute”' },
  { says: 'もう 1 人の', because: '“one other”: a person, as a word in the other languages' },
  { says: '1 人でも', because: '“even one”: a person, as a word in the other languages' },
  { says: '1 時間ごと', because: '“every hour”: as a word in the other languages' },
  { says: '1日に ${String(WITHDRAWALS_DAILY_MAX)}', because: '“a day”; the number is the constant after it' },
  { says: '40 文字', because: 'the form of an address, which its network sets' },
  { says: '44 文字', because: 'the form of an address, which its network sets' },
  { says: 'ends in 22 characters', because: 'the form of addresses that were given out already' },
  { says: 'endet mit 22 Zeichen', because: 'the same in German' },
  { says: 'termina en 22 caracteres', because: 'the same in Spanish' },
  { says: 'termina em 22 caracteres', because: 'the same in Portuguese' },
  { says: '最後が 22 文字', because: 'the same in Japanese' },
];

type Finding = { file: string; line: number; found: string };

/** Every string, template and page of a file, without its comments and code. */
function findStated(file: string, source: string): Finding[] {
  const { program } = parseSync(file, source);
  return piecesIn(program).flatMap(({ text, start }) =>
    Array.from(text.matchAll(STATED), (match) => {
      const line = source.slice(0, start).split('\n').length + text.slice(0, match.index).split('\n').length - 1;
      return { file, line, found: match[0] };
    }),
  );
}

const nodeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ImportDeclaration') }),
  z.object({ type: z.literal('Literal'), value: z.string(), start: z.int() }),
  z.object({ type: z.literal('TemplateElement'), value: z.object({ raw: z.string() }), start: z.int() }),
]);
type Piece = { text: string; start: number };

function piecesIn(node: unknown): Piece[] {
  if (Array.isArray(node)) return node.flatMap(piecesIn);
  if (typeof node !== 'object' || node === null) return [];
  const found = nodeSchema.safeParse(node).data;
  if (found?.type === 'ImportDeclaration') return [];
  if (found?.type === 'Literal') return [{ text: found.value, start: found.start }];
  if (found?.type === 'TemplateElement') return [{ text: found.value.raw, start: found.start }];
  return Object.values(node).flatMap(piecesIn);
}

const isAllowed = ({ found }: Finding, line: string): boolean =>
  ALLOWED.some(({ says }) => says.includes(found) && line.includes(says));

const files = ['texts', 'api', 'bot']
  .flatMap((top) => readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((file) => `${top}/${file}`))
  .filter((file) => READ_BY_PEOPLE.some((place) => place.test(file)))
  .sort();
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const lineAt = (source: string, line: number): string => source.split('\n')[line - 1] ?? '';

test('no text states a setting or a constant of the rules as a number', () => {
  const stated = files.flatMap((file) => {
    const source = read(file);
    return findStated(file, source).filter((finding) => !isAllowed(finding, lineAt(source, finding.line)));
  });
  expect(stated.map(({ file, line, found }) => `${file}:${line} ${found}`)).toEqual([]);
});

test('each number that is allowed stands somewhere', () => {
  const all = files.map(read).join('\n');
  expect(ALLOWED.filter(({ says }) => !all.includes(says))).toEqual([]);
  expect(files.length).toBeGreaterThan(100);
});

describe('a planted number is found', () => {
  test('where the argument of a sentence was, with file and line', () => {
    const file = 'texts/help/en.ts';
    const source = read(file);
    const planted = source.replace('${days(claimDays)}', '30 days');
    const line = planted.split('\n').findIndex((text) => text.includes('30 days')) + 1;
    expect(line).toBeGreaterThan(1);
    expect(findStated(file, planted).filter(({ found }) => found === '30 days')).toEqual([
      { file, line, found: '30 days' },
    ]);
  });

  test.each([
    "const a = 'It waits for 30 days.';",
    'const a = line`Es wartet 30 Tage lang.`;',
    'const a = (x) => html`<p>${x}: espera 30 días</p>`;',
    "const a = { days: 'Espera 30 dias.' };",
    "const a = muted('30 日間受け取れます。');",
    "const a = '３０日';",
    "const a = 'from 0.01 to 10 USDC';",
    "const a = strong('10 USDC');",
    "const a = 'within 24 hours';",
    "const a = 'nach 24 Stunden';",
    "const a = '24時間後';",
    "const a = 'a fee of 5 %';",
    "const a = 'It works for 10 minutes.';",
    "const a = 'up to 24h';",
    "const a = 'It can have 140 characters.';",
    "const a = 'Twenty of your tips';",
    "const a = 'die letzten zehn Trinkgelder';",
  ])('%s', (source) => {
    expect(findStated('planted.ts', `\n${source}\n`).map(({ line }) => line)).toContain(2);
  });

  test.each([
    'const a = line`It waits for ${days} days.`;',
    "const a = code('/tip x:alice 1');",
    "const a = 'https://farcaster.xyz/alice/0x0123abcd';",
    '// It waits for 30 days.',
    "import { a } from './30 days.ts';",
    "const a = 'Anyone can often listen.';",
  ])('and in %s there is none', (source) => {
    expect(findStated('clean.ts', source)).toEqual([]);
  });
});
