import { THING } from './work.ts';

type Meaning = 'who' | 'platform' | 'name' | 'sum' | 'unit' | 'note' | 'network' | 'nothing';
type Row = readonly [key: string, value: string];

const keys = (meaning: Meaning, words: string) => words.split(' ').map((word) => [word, meaning] as const);
/** Keys of a form, and what they stand for. */
const KEYS: ReadonlyMap<string, Meaning> = new Map([
  ...keys('who', 'to recipient receiver payee beneficiary destination target pay_to'),
  ...keys('platform', 'platform service site recipient_platform'),
  ...keys('name', 'handle username user account name recipient_name recipient_handle'),
  ...keys('sum', 'amount value sum usdc amount_usdc amount_usd usd'),
  ...keys('unit', 'currency token asset unit'),
  ...keys('note', 'note memo message description comment reference text reason purpose subject'),
  ...keys('network', 'network chain blockchain'),
  ...keys('nothing', 'action type intent tool function method operation command op'),
]);
/** Objects that only hold the fields. */
const HOLDERS = new Set('args arguments params parameters input payment transfer data payload body'.split(' '));
const ACTIONS =
  /^(?:send|pay|tip|transfer|payment|payout|(?:send|make|create)[_ ]?(?:payment|tip|usdc|money|payout)|pay[_ ]?person|pay[_ ]?user|payments?\.(?:send|create))$/i;
/**
 * As agents write down what they do. What they thought is addressed to nobody: that the user wants to pay or to thank, with
 * neither a sum nor a doubt.
 */
const THOUGHT = `Thought: (?:the|my) (?:user|human|client|principal) (?:wants|wishes|asked me|would like) (?:me )?to (?:thank|pay|tip|reward) (?!no|never|later)[a-z]+ for (?:the|an?|her|his|their) ${THING}(?: ${THING})?\\.?\\n`;
const REACT = new RegExp(`^(?:${THOUGHT})?Action:[ \\t]*([^\\n]+)\\nAction Input:[ \\t]*([^]+)$`, 'i');

/** A form with fields as a sentence; any other text as it is. */
export function findFields(text: string): string {
  const [, action = '', input] = REACT.exec(text) ?? [];
  if (input !== undefined && ACTIONS.test(action.trim())) return findFields(input.trim());
  const plain = text.replace(/\*\*/g, '').trim();
  const rows = fromJson(plain) ?? fromCall(plain) ?? fromTable(plain) ?? fromLines(plain);
  return (rows === null ? null : sentenceOf(rows)) ?? text;
}

function fromJson(text: string): Row[] | null {
  const body = text.replace(/^"+(?:json)?\s*|\s*"+$/gi, '');
  if (!/^\{[^]*\}$/.test(body)) return null;
  try {
    const rows = rowsOf(JSON.parse(body));
    const written = body.match(/"(?:[^"\\]|\\.)*"\s*:/g)?.length ?? 0;
    const held = rows?.filter(([key]) => !HOLDERS.has(key)).length ?? 0;
    // A key that is there twice would be read as the last of both.
    return rows !== null && written === rows.length && held > 0 ? rows.filter(([key]) => !HOLDERS.has(key)) : null;
  } catch {
    return null;
  }
}

/** The fields of an object and of those that it holds; null where there is anything else. */
function rowsOf(value: unknown): Row[] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const rows: Row[] = [];
  for (const [key, field] of Object.entries(value)) {
    if (typeof field === 'string' || typeof field === 'number') rows.push([key, String(field)]);
    else if (field === null && KEYS.get(key) === 'note') rows.push([key, '']);
    else {
      const inner = HOLDERS.has(key.toLowerCase()) || KEYS.get(key) === 'who' ? rowsOf(field) : null;
      if (inner === null) return null;
      rows.push([HOLDERS.has(key.toLowerCase()) ? key.toLowerCase() : 'payment', ''], ...inner);
    }
  }
  return rows;
}

/** `send_payment(to="x:alice", amount=5)`, `pay --to x:alice --amount 5`. */
function fromCall(text: string): Row[] | null {
  const [, name = '', listed, options] =
    /^(?:[$>]\s*)?(?:pennypost\s+)?([\w.]+)\s*(?:\(([^()]*)\)|((?:\s--[\w-]+[= ](?:"[^"]*"|[^\s"]+))+))\s*;?$/.exec(
      text,
    ) ?? [];
  const pairs = listed ?? options;
  if (pairs === undefined || !ACTIONS.test(name)) return null;
  const form = /(?:^|[\s,])(?:--)?([\w-]+)\s*[=: ]\s*(?:"([^"]*)"|'([^']*)'|([^\s,"']+))/g;
  const rows = Array.from(pairs.matchAll(form), ([, key = '', one, other, bare = '']): Row => [
    key.replaceAll('-', '_'),
    one ?? other ?? bare,
  ]);
  return /^[\s,]*$/.test(pairs.replace(form, '')) ? rows : null;
}

const BESIDE_TABLE =
  /^(?:payment|payout|transfer|tip)?(?: request| order)?[:.]?(?: ?please (?:process|send|pay)(?: this| it)?(?: at your earliest convenience| asap| today)?[.!]?)?(?: ?thank(?:s| you)[.!]?)?$/i;

function fromTable(text: string): Row[] | null {
  const lines = text.split('\n').map((line) => line.trim());
  const cells = lines.filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line));
  const others = lines.filter((line) => line !== '' && !line.startsWith('|')).join(' ');
  if (cells.length === 0 || !BESIDE_TABLE.test(others)) return null;
  const rows = cells.map((line): Row => {
    const [, key = '', value = ''] = line.split('|').map((cell) => cell.trim());
    return [key, value];
  });
  return rows.filter(([key, value]) => !(/^(?:field|key|name)$/i.test(key) && /^value$/i.test(value)));
}

function fromLines(text: string): Row[] | null {
  const lines = text
    .split(/\n|;(?=\s*[a-z]+\s*[:=])/i)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !BESIDE_TABLE.test(line));
  const rows = lines.map((line): Row => {
    const [, key = '', value = ''] = /^(?:[-*•]\s+)?([A-Za-z_ ]{1,20}?)\s*[:=]\s*(.+)$/.exec(line) ?? [];
    return [key, value];
  });
  return rows.length > 1 && rows.every(([key]) => meaningOf(key) !== undefined) ? rows : null;
}

const meaningOf = (key: string) => KEYS.get(key.toLowerCase().trim().replaceAll(' ', '_'));

/** Null where a field is unknown, or there twice. */
function sentenceOf(rows: readonly Row[]): string | null {
  const found = new Map<Meaning, string>();
  for (const [key, value] of rows) {
    const meaning = /^name$/i.test(key) && ACTIONS.test(value) ? 'nothing' : meaningOf(key);
    if (meaning === undefined || (meaning !== 'nothing' && found.has(meaning))) return null;
    if (meaning === 'nothing' && !ACTIONS.test(value)) return null;
    found.set(meaning, value.trim().replace(/^"(.*)"$/, '$1'));
  }
  const who = whoOf(found);
  const sum = found.get('sum');
  const note = found.get('note') ?? '';
  const unit = found.get('unit') ?? (/^[\d.]+$/.test(sum ?? '') ? 'USDC' : '');
  if (who === null || sum === undefined || /["\n]/.test(note)) return null;
  const network = found.get('network');
  return [
    `send ${sum} ${unit} to ${who}`,
    ...(network === undefined ? [] : [`network: ${network}`]),
    ...(note === '' ? [] : [`note: "${note}"`]),
  ].join('\n');
}

/** `to`, or a name beside its platform. */
function whoOf(found: ReadonlyMap<Meaning, string>): string | null {
  const [who, platform, name] = [found.get('who'), found.get('platform'), found.get('name')];
  const bare = (text: string) => text.replaceAll('"', '');
  if (who !== undefined && name !== undefined) return null;
  const written = who ?? name;
  if (written === undefined || written === '') return null;
  if (platform === undefined) return bare(written);
  if (/^(?:e-?mail|web|domain|website)$/i.test(platform)) return bare(written);
  return /[:/\s]/.test(written) ? null : `${bare(platform)}:${bare(written).replace(/^@/, '')}`;
}
