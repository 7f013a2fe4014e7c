import { expect, test } from 'vitest';
import { parseCommand } from '../../../core/grammar/command.ts';

function read(text: string) {
  const command = parseCommand(text);
  if (command.kind !== 'reward') throw new Error(`${text} is ${command.kind}`);
  return command.wish;
}

const URL = 'https://farcaster.xyz/marta/0xb87cf233';
const HASH = '0xb87cf233790dd2d8a3ed9549f9e15069c02b1da0';
const propose = (post: string, budget: bigint, excluded: string[] = []) => ({ do: 'propose', post, budget, excluded });

test.each<[string, object]>([
  [URL, propose(URL, 5_000_000n)],
  [`${URL} 25`, propose(URL, 25_000_000n)],
  [`<${URL}> $0.01`, propose(URL, 10_000n)],
  [`${URL} 1000 USDC`, propose(URL, 1_000_000_000n)],
  [`${HASH} 2,5`, propose(HASH, 2_500_000n)],
  ['farcaster.xyz/marta/0xb87cf233', propose('farcaster.xyz/marta/0xb87cf233', 5_000_000n)],
  ['https://warpcast.com/marta/0xb87cf233 1', propose('https://warpcast.com/marta/0xb87cf233', 1_000_000n)],
  [`${URL} 5 without @alice, bob and farcaster:carol 12`, propose(URL, 5_000_000n, ['alice', 'bob', 'carol', '12'])],
  [`${URL} without 12 @12 fc:34`, propose(URL, 5_000_000n, ['12', '@12', '@34'])],
  [`${URL} except Alice @alice`, propose(URL, 5_000_000n, ['alice'])],
  ['without alice', { do: 'exclude', names: ['alice'] }],
  ['Exclude vitalik.eth', { do: 'exclude', names: ['vitalik.eth'] }],
])('"/reward %s" is understood', (text, wish) => {
  expect(read(`/reward ${text}`)).toEqual(wish);
});

test.each([
  ['', 'nothing_said', ''],
  ['  ', 'nothing_said', ''],
  ['5', 'not_a_post', '5'],
  ['https://x.com/alice/status/123', 'not_a_post', 'https://x.com/alice/status/123'],
  [
    'https://farcaster.xyz.evil.example/marta/0xb87cf233',
    'not_a_post',
    'https://farcaster.xyz.evil.example/marta/0xb87cf233',
  ],
  ['https://farcaster.xyz/marta', 'not_a_post', 'https://farcaster.xyz/marta'],
  ['0xb87cf233', 'not_a_post', '0xb87cf233'],
  [`${URL} 0.005`, 'budget', '0.005'],
  [`${URL} 1000.01`, 'budget', '1000.01'],
  [`${URL} 1k`, 'budget', '1k'],
  [`${URL} 1,000`, 'budget', '1,000'],
  [`${URL} all`, 'budget', 'all'],
  [`${URL} much`, 'budget', 'much'],
  [`${URL} 5 please`, 'unreadable', `${URL} 5 please`],
  [`${URL} 5 without`, 'not_a_name', ''],
  ['without <@17>', 'not_a_name', '<@17>'],
  ['without x:alice', 'not_a_name', 'x:alice'],
  [`without ${Array.from({ length: 101 }, (_, index) => `p${index}`).join(' ')}`, 'not_a_name', 'p0 p1'],
])('"/reward %s" is refused: %s', (text, code, found) => {
  const wish = read(`/reward ${text}`);
  expect(wish).toMatchObject({ do: 'unreadable', problem: { code } });
  if (wish.do === 'unreadable' && 'found' in wish.problem) expect(wish.problem.found).toContain(found);
});

function readDrop(text: string) {
  const command = parseCommand(text, { bareNames: 'telegram' });
  if (command.kind !== 'drop') throw new Error(`${text} is ${command.kind}`);
  return command.wish;
}

const make = (amount: bigint, people: number, seconds: number) => ({ do: 'make', amount, people, seconds });

test.each<[string, object]>([
  ['5 10 people 1h', make(5_000_000n, 10, 3_600)],
  ['5 10 1h', make(5_000_000n, 10, 3_600)],
  ['1 each for 5 people', make(5_000_000n, 5, 3_600)],
  ['3 an die ersten drei', make(3_000_000n, 3, 3_600)],
  ['$5 for 10 people in 30m', make(5_000_000n, 10, 1_800)],
  ['5 USDC 10', make(5_000_000n, 10, 3_600)],
  ['50c 2 Leute 24 h', make(500_000n, 2, 86_400)],
  ['2,5 5人 1h', make(2_500_000n, 5, 3_600)],
  ['5 para 10 personas 2h', make(5_000_000n, 10, 7_200)],
  ['2 Dollar 4 Personen 45 Minuten', make(2_000_000n, 4, 2_700)],
  ['3 dólares entre 6 personas durante 15 minutos', make(3_000_000n, 6, 900)],
  ['８ドル １６人 ３０分', make(8_000_000n, 16, 1_800)],
  ['5ドル 10人 1時間', make(5_000_000n, 10, 3_600)],
  ['pra 9 pessoas, 18 dólares, 2 horas', make(18_000_000n, 9, 7_200)],
  ['20人に10ドル、2時間', make(10_000_000n, 20, 7_200)],
  ['$1 each, 5 people, 10 minutes', make(5_000_000n, 5, 600)],
  ['insgesamt 15 Dollar, die ersten 5 Leute', make(15_000_000n, 5, 3_600)],
  ['10 Leute kriegen je 50 Cent, 1 Stunde Zeit', make(5_000_000n, 10, 3_600)],
  ['jeder der ersten 4 bekommt 50 Cent', make(2_000_000n, 4, 3_600)],
  ['pro Person 1 Dollar, maximal 6 Personen, bis in 2 Stunden', make(6_000_000n, 6, 7_200)],
  ['a los 5 más rápidos les doy 1 dólar a cada uno', make(5_000_000n, 5, 3_600)],
  ['2 a cada uno, los 3 primeros q lo pillen', make(6_000_000n, 3, 3_600)],
  ['los dos primeros, 4 dólares', make(4_000_000n, 2, 3_600)],
  ['0,50 pra cada um dos primeiros 12', make(6_000_000n, 12, 3_600)],
  ['50 pra dividir entre 20 pessoas por 30 min', make(50_000_000n, 20, 1_800)],
  ['9 dólares no total pra 3 pessoas, meia horinha', make(9_000_000n, 3, 1_800)],
  ['12 usd total split by 6, ends in 90 minutes', make(12_000_000n, 6, 5_400)],
  ['a dollar apiece for whoever is quickest, 8 spots', make(8_000_000n, 8, 3_600)],
  ['20 for the first 10, happy friday everyone!!', make(20_000_000n, 10, 3_600)],
  ['20 10 people 1 hour and 30 minutes', make(20_000_000n, 10, 5_400)],
  ['先着5名に1ドルずつ', make(5_000_000n, 5, 3_600)],
  ['合計12ドルを早い者勝ち6人で', make(12_000_000n, 6, 3_600)],
  ['一人1ドルで十人、1時間半', make(10_000_000n, 10, 5_400)],
  ['11人に5ドル', make(5_000_000n, 11, 3_600)],
  ['2 a share, 5 people', make(10_000_000n, 5, 3_600)],
  ['', { do: 'list' }],
])('"/drop %s" is understood', (text, wish) => {
  expect(readDrop(`/drop ${text}`)).toEqual(wish);
});

test('names are struck from a list', () => {
  const wish = readDrop('/drop without @bobby_b, telegram:7');
  expect(wish.do === 'strike' && wish.whom.map(({ key }) => key)).toEqual(['bobby_b', '7']);
});

test.each([
  ['all 10 people', 'unreadable'],
  ['1,500 10 people', 'unreadable'],
  ['people', 'unreadable'],
  ['5', 'people'],
  ['5 1 people', 'people'],
  ['5 21 people', 'people'],
  ['5 ten', 'people'],
  ['5 10x 1h', 'people'],
  ['0.05 10 people', 'share'],
  ['200 10 people', 'share'],
  ['5 10 people tomorrow', 'time'],
  ['5 10 people 30s', 'time'],
  ['5 10 people 25h', 'time'],
  ['5 10 people 1h 20', 'time'],
  ['5 10 people 1h 2h', 'time'],
  ['5 10 people 4 people', 'time'],
  ['1h 10 people', 'unreadable'],
  // Each, and in all.
  ['10 total, 2 each', 'unreadable'],
  ['5 10 people each 2 hours', 'time'],
  ['jeden Tag 5 Dollar für 5 Leute', 'unreadable'],
  ['20 for 10 people, not now', 'time'],
  ['10 for the first 5 who answer my question', 'time'],
  ['10 for 5 people happy two dollars', 'time'],
  ['10 for 5 people thanks if it works', 'time'],
  ['without', 'not_listed'],
  ['without bob', 'not_listed'],
])('"/drop %s" is refused: %s', (text, problem) => {
  expect(readDrop(`/drop ${text}`)).toEqual({ do: 'unreadable', problem });
});
