import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import { parseCommand } from '../../../core/grammar/command.ts';
import { microUsdc } from '../../../core/money.ts';
import { followedWithdrawals } from '../../../db/wallets/withdrawal-messages.ts';
import { failWithdrawal, markPaid } from '../../../db/withdrawals/end.ts';
import { withdrawalsOfWallet } from '../../../db/withdrawals/find.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, PINNED, textEvent, usdc, WITH_ACCOUNT, type Harness } from '../harness.ts';
import { die, STRANGER } from '../withdrawal-rows.ts';

const USER = 'chat:user-1';

describe('the grammar', () => {
  const withdraw = (family: string, address: string, amount: unknown, network: string | null = null) => ({
    kind: 'withdraw',
    to: { family, network, address },
    amount,
  });
  const exact = (text: number) => ({ kind: 'exact', amount: usdc(text) });
  // Begins like a number, as a third of all addresses on Solana do.
  const onSolana = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';

  test.each([
    [`/withdraw 3.20 ${STRANGER}`, withdraw('evm', STRANGER, exact(3.2))],
    [`/withdraw ${STRANGER} $3,5`, withdraw('evm', STRANGER, exact(3.5))],
    [`withdraw all to ${onSolana}`, withdraw('svm', onSolana, { kind: 'all' })],
    [`/withdraw half ${onSolana}`, withdraw('svm', onSolana, { kind: 'half' })],
    [`/withdraw 50 cents ${onSolana}`, withdraw('svm', onSolana, exact(0.5))],
    [`/withdraw 1 on base ${STRANGER}`, withdraw('evm', STRANGER, exact(1), 'base')],
    // That it is too short is for the network's rules to say.
    ['/withdraw 1 0x12', withdraw('evm', '0x12', exact(1))],
    ['/withdraw', { kind: 'withdraw_help' }],
    ['/withdraw 5', { kind: 'withdraw_help' }],
    [`/withdraw 1 ${STRANGER} ${onSolana}`, { kind: 'withdraw_help' }],
    [`/withdraw 1 solana ${STRANGER}`, { kind: 'withdraw_help' }],
  ])('%s', (text, command) => {
    expect(parseCommand(text)).toEqual(command);
  });

  test.each([
    [`/withdraw ${STRANGER}`, 'no_withdraw_amount', `/withdraw all ${STRANGER}`],
    [`/withdraw 1,000 ${STRANGER}`, 'plain_digits', `/withdraw 1 ${STRANGER}`],
    [`/withdraw 5 EUR ${STRANGER}`, 'other_currency', `/withdraw 1 ${STRANGER}`],
    [`/withdraw 0.1234567 ${STRANGER}`, 'too_many_decimals', `/withdraw 0.123456 ${STRANGER}`],
    [`/withdraw 5 perhaps ${STRANGER}`, 'unreadable_amount', `/withdraw 5 ${STRANGER}`],
  ])('%s is a mistake with an example', (text, code, example) => {
    expect(parseCommand(text)).toMatchObject({ kind: 'mistake', code, examples: [example] });
  });
});

describe('in a chat', () => {
  let api: FakeApi;
  let harness: Harness;
  beforeEach(async () => {
    api = await startFakeApi();
    harness = await createHarness({ apiUrl: api.url, balance: usdc(3.2), solanaBalance: usdc(0) });
  });
  afterEach(async () => {
    harness.closing.abort();
    await harness.bot.idle();
    await api.close();
    await harness.store.close();
  });

  const say = async (text: string, eventId = 'ask') => {
    await harness.bot.handle(textEvent(text, eventId, USER));
    return harness.chat.textOf(eventId) ?? '';
  };
  const buttonOf = (eventId = 'ask') => {
    const button = harness.chat.last(eventId)?.actions.find(({ kind }) => kind === 'button');
    if (button?.kind !== 'button') throw new Error('there is no button');
    return button;
  };
  const press = async (buttonId: string, eventId = 'press', userId = USER) => {
    await harness.bot.press({ ...textEvent('', eventId, userId), buttonId });
  };
  const rows = () => withdrawalsOfWallet(harness.store, USER);
  /** What the worker says in the end. */
  const pay = async () => {
    const [row] = await rows();
    if (!row || !(await markPaid(harness.store, row, `0x${'4f'.repeat(32)}`, 1))) throw new Error('nothing was signed');
  };

  test('it shows everything first, and nothing happens before the button is pressed', async () => {
    const text = await say(`/withdraw all ${STRANGER}`);
    expect(text).toContain('Send 3.20 USDC on Base to this address?');
    expect(text).toContain(shownAddress(STRANGER));
    expect([buttonOf().label, harness.chat.last('ask')?.audience]).toEqual(['Send 3.20 USDC', 'person']);
    expect(await rows()).toEqual([]);
  });

  test('pressed twice, and delivered twice, it is one withdrawal, and its message tells the end', async () => {
    await say(`/withdraw 2 ${STRANGER}`);
    const { id } = buttonOf();
    await Promise.all([press(id), press(id)]);
    await press(id, 'again');
    expect(harness.chat.textOf('again')).toContain('That button no longer works');
    await harness.bot.idle();
    expect(harness.chat.textOf('press')).toContain('Sending 2.00 USDC on Base');
    expect(await rows()).toMatchObject([{ status: 'signed', toAddress: STRANGER, amountMicroUsdc: 2_000_000n }]);
    await pay();
    // As after a restart: what is followed stands in the database.
    await harness.bot.resume();
    await harness.bot.idle();
    expect(harness.chat.textOf('press')).toContain(`2.00 USDC arrived on Base at ${shownAddress(STRANGER)}`);
    expect(harness.chat.last('press')?.actions).toMatchObject([{ kind: 'link' }]);
    expect(await followedWithdrawals(harness.store, harness.clock.now(), 10)).toEqual([]);
    // The press delivered once more, when the money is gone: the same withdrawal, not a complaint.
    harness.state.balance = usdc(0);
    await press(id);
    expect(harness.chat.textOf('press')).toContain('arrived');
    expect(harness.signed).toHaveLength(1);
  });

  test('another person’s press does nothing', async () => {
    await say(`/withdraw 2 ${STRANGER}`);
    await press(buttonOf().id, 'press', 'chat:mallory');
    expect([await rows(), harness.signed.length]).toEqual([[], 0]);
  });

  test('one that fails says why, and that the money is where it was', async () => {
    await say(`/withdraw 2 ${STRANGER}`);
    await press(buttonOf().id);
    await harness.bot.idle();
    const [row] = await rows();
    await die(harness.store, row?.id ?? '');
    await failWithdrawal(harness.store, row?.id ?? '', 'dead', 'gave_up', 1);
    await harness.bot.resume();
    await harness.bot.idle();
    expect(harness.chat.textOf('press')).toBe(
      'Your 2.00 USDC stayed where it was. It could not be sent in time. Ask for it again.',
    );
  });

  test.each([
    ['more than there is', `/withdraw 5 ${STRANGER}`, 'There are only 3.20 USDC on Base.'],
    ['a network with nothing on it', `/withdraw all ${WITH_ACCOUNT}`, 'There is nothing on Solana.'],
    ['less than the least', `/withdraw 0.001 ${STRANGER}`, 'The least that I send is 0.01 USDC.'],
    ['our own address', `/withdraw 1 ${PINNED.payTo}`, 'This address belongs to this service.'],
    ['what is no address', '/withdraw 1 0x12', 'This is not an address.'],
    ['no address', '/withdraw 1', 'Tell me how much, and the address'],
  ])('%s is refused with what can be done', async (_title, command, answer) => {
    expect(await say(command)).toContain(answer);
    expect(harness.chat.last('ask')?.actions.some(({ kind }) => kind === 'button')).toBe(false);
  });

  test('money that has gone since the question is not asked for', async () => {
    await say(`/withdraw all ${STRANGER}`);
    harness.state.balance = microUsdc(1n);
    await press(buttonOf().id);
    expect(harness.chat.textOf('press')).toContain('There are only');
    expect(await rows()).toEqual([]);
  });

  test('/help and /balance name it', async () => {
    expect(await say('/help')).toContain('/withdraw sends it to an address of yours');
    await say('/balance', 'balance');
    expect(harness.chat.last('balance')?.actions).toContainEqual({ kind: 'command', command: '/withdraw' });
  });
});
