import { shownAddress } from '../../../chain/shown-address.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plainText } from '../../../core/view.ts';
import { receiptView } from '../../../texts/receipts/receipt.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, textEvent, usdc, type Harness } from '../harness.ts';

let api: FakeApi;
let harness: Harness;

beforeEach(async () => {
  api = await startFakeApi();
  harness = await createHarness({ apiUrl: api.url, balance: usdc(20), solanaBalance: usdc(2.5) });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await api.close();
  await harness.store.close();
});

/** What both said, for a reader whose platform is set to that language. */
async function talk(language: string, commands: readonly string[]): Promise<string> {
  const said: string[] = [];
  for (const [index, command] of commands.entries()) {
    const eventId = `event-${index}`;
    await harness.bot.handle({ ...textEvent(command, eventId), language });
    await harness.bot.idle();
    const view = harness.chat.last(eventId);
    if (!view) throw new Error(`nobody answered ${command}`);
    const labels = view.actions.flatMap((action) => (action.kind === 'command' ? [] : [`[${action.label}]`]));
    said.push([`> ${command}`, plainText(view), ...labels].join('\n'));
  }
  const receipt = { amount: usdc(1), recipient: 'x:alice', receiptUrl: 'https://pay.test/r/abc' };
  const claimUntil = '2026-12-20T23:59:59.000Z';
  const posted = receiptView({ ...receipt, status: 'pending_claim', onlyPayerTells: true, claimUntil }, language);
  return [...said, plainText(posted)].join('\n\n');
}

const ADDRESS = `0x${'cd'.repeat(20)}`;
const COMMANDS = [
  'gm',
  '/tip @alice 1',
  '/tip x:alice 1,000',
  '/tip x:alice 1',
  '/tip x:alice x:bob 1',
  '/balance',
  '/withdraw 500 ' + ADDRESS,
  '/withdraw 5 ' + ADDRESS,
];

test('a conversation in German', async () => {
  expect(await talk('de', COMMANDS)).toBe(`> gm
Das habe ich nicht verstanden. Das kann ich:

> /tip @alice 1
In welchem Netzwerk ist "@alice"? Derselbe Name kann verschiedenen Leuten gehören, also schreib es dazu:

> /tip x:alice 1,000
Ist "1,000" mehr als tausend, oder hat es Nachkommastellen? Schreib es anders; ein Trinkgeld ist 0.01 bis 10 USDC:

> /tip x:alice 1
1.00 USDC an @alice bei X gesendet.
[Beleg öffnen]

> /tip x:alice x:bob 1
Insgesamt 2.00 USDC an 2 Personen senden?
@alice bei X: 1.00 USDC
@bob bei X: 1.00 USDC
Bevor du bestätigst, wird nichts gesendet. Dafür hast du 10 Minuten Zeit.
[2.00 USDC senden]
[Abbrechen]

> /balance
Du hast 22.50 USDC: 20.00 auf Base und 2.50 auf Solana.

> /withdraw 500 ${ADDRESS}
Auf Base sind nur 20.00 USDC da.

> /withdraw 5 ${ADDRESS}
5.00 USDC auf Base an diese Adresse senden?
${shownAddress(ADDRESS)}
Bitte vergleiche sie noch einmal: Was an eine falsche Adresse geht, lässt sich nicht zurückholen.
[5.00 USDC senden]

1.00 USDC warten auf @alice bei X.
Schick diese Nachricht weiter:
Ich habe dir 1.00 USDC geschickt, digitale Dollar. Hier kannst du sie abholen: https://pay.test/r/abc
Holt es niemand ab, kommt es am 20. Dezember 2026 (UTC) zu dir zurück.`);
});

test('a conversation in Japanese', async () => {
  expect(await talk('ja', COMMANDS)).toBe(`> gm
うまく読み取れませんでした。できることはこちらです。

> /tip @alice 1
どのサービスの "@alice" ですか？同じ名前でも別の人のことがあるので、サービス名を付けてください。

> /tip x:alice 1,000
"1,000" は千より大きい数ですか、それとも小数ですか？別の書き方をしてください。チップは 0.01～10 USDC です。

> /tip x:alice 1
@alice（X） に 1.00 USDC を送りました。
[明細を開く]

> /tip x:alice x:bob 1
2 人に合計 2.00 USDC を送りますか？
@alice（X）: 1.00 USDC
@bob（X）: 1.00 USDC
10 分以内に確定してください。それまでは何も送られません。
[2.00 USDC を送る]
[やめる]

> /balance
残高は 22.50 USDC です（Base に 20.00、Solana に 2.50）。

> /withdraw 500 ${ADDRESS}
Base の残高は 20.00 USDC で、足りません。

> /withdraw 5 ${ADDRESS}
5.00 USDC を Base でこのアドレスに送りますか？
${shownAddress(ADDRESS)}
もう一度見比べてください。間違ったアドレスに送ったお金は取り戻せません。
[5.00 USDC を送る]

1.00 USDC は @alice（X） の受け取り待ちです。
次のメッセージを相手に送ってください。
1.00 USDC（デジタルの米ドル）を送りました。受け取りはこちらから: https://pay.test/r/abc
受け取られない場合は、2026年12月20日（UTC）にあなたに戻ります。`);
});
