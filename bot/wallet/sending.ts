import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { cleanNote, NOTE_CHARACTERS_MAX } from '../../core/grammar/note.ts';
import { checkRange, type Tip } from '../../core/grammar/corrections.ts';
import { mistake } from '../../core/grammar/mistakes.ts';
import { readWholeAmount } from '../../core/grammar/withdraw.ts';
import { splitWords } from '../../core/grammar/words/words.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import { line, type Paragraph, type View } from '../../core/view.ts';
import { findOrder, type OrderRow } from '../../db/tips/orders.ts';
import type { Language } from '../../core/languages.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { workingView } from '../conversation/views.ts';
import { readHolding } from '../paying/balance.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { findNetwork } from '../shared/networks.ts';
import { checkTerms, isOfferedOn } from '../shared/terms.ts';
import { findWallet, type PersonWallet } from '../shared/wallets.ts';
import { findSpendingProblem } from '../tips/caps.ts';
import { draftTip } from '../commands/one-tip.ts';
import { placeOrder, wordsOfTip } from '../tips/order-placing.ts';
import type { Draft } from '../tips/order-draft.ts';
import { refuseRecipient } from '../tips/refused-recipient.ts';
import { WEB_TRANSPORT } from '../web/messenger.ts';
import { dollars } from '../../web/components/money.ts';
import { chosenSum } from '../../web/components/sums.ts';
import { SENDABLE } from './sending-form.ts';
import type { SendProblem } from './shown.ts';

const sendForm = z
  .object({
    wallet: z.string().max(300),
    platform: z.string().refine((word) => SENDABLE.some((platform) => platform === word)),
    name: z.string().max(400),
    sum: z.string().max(60).default(''),
    amount: z.string().max(60).default(''),
    note: z.string().max(1_000).default(''),
  })
  .transform(chosenSum);
const orderForm = z.object({ order: z.string().max(64), signed: z.string().max(4_000).default('') });

export type SendForm = z.infer<typeof sendForm>;

/** Null for what our own page cannot have sent. */
export function readPayForm(fields: unknown): SendForm | null {
  return sendForm.safeParse(fields).data ?? null;
}

export function readOrderForm(fields: unknown): { order: string; signed: string } | null {
  return orderForm.safeParse(fields).data ?? null;
}

export type Proposed = { kind: 'order'; order: OrderRow } | { kind: 'problem'; problem: SendProblem };

/**
 * Writes an order as a tip in a chat does, to be agreed to on the next page. The same limits, price and signature follow: an
 * order is all that this makes. Its progress is also told in the browser's own chat, like that of any order.
 */
export async function proposeSending(
  deps: CoreDeps,
  { holderId, wallet, language }: { holderId: string; wallet: PersonWallet; language: Language },
  form: SendForm,
): Promise<Proposed> {
  const { texts } = deps;
  const refuse = (field: SendProblem['field'], problem: Paragraph): Proposed => ({
    kind: 'problem',
    problem: { walletId: wallet.walletId, field, problem, typed: form },
  });
  const recipient = readName(form);
  if (typeof recipient === 'string') return refuse('name', line`${recipient}`);
  if (form.amount.trim() === '') return refuse('amount', line`${texts.purse.sumMissing}`);
  const reading = readWholeAmount(splitWords(form.amount).map(({ text }) => text));
  if (reading.kind === 'mistake') {
    return refuse('amount', texts.mistake(mistake(reading.code, reading.found, [reading.instead])));
  }
  const note = cleanNote(form.note);
  const tip: Tip = { kind: 'tip', recipients: [recipient], amount: reading.form, sharing: 'each', note: note || null };
  if (Array.from(note).length > NOTE_CHARACTERS_MAX)
    return refuse('note', texts.mistake(mistake('note_too_long', '', [''])));
  const range = checkRange(tip);
  if (range !== null) return refuse('amount', texts.mistake(range));
  const eventId = `${holderId}/purse-${Buffer.from(deps.random(18)).toString('base64url')}`;
  const event: TextEvent = { ...placeOf(holderId), eventId, userId: holderId, walletId: wallet.walletId, text: '' };
  const refused = await refuseRecipient(deps, event, tip);
  if (refused !== null) return refuse('name', firstOf(refused));
  const drafted = await draftTip(deps, event, tip);
  if (drafted.kind === 'view') return refuse('amount', firstOf(drafted.view));
  const problem = await findSpendingProblem(deps, drafted.draft, { signsLater: true });
  if (problem !== null) return refuse('amount', texts.spendingProblem(problem));
  const price = await askTotal(deps, drafted.draft);
  if (typeof price !== 'bigint') return refuse('amount', texts.failure(price.reason, drafted.draft.recipient));
  const missing = await findMissing(deps, drafted.draft, price);
  if (missing !== null) return refuse('amount', line`${texts.purse.tooLittle(dollars(price), dollars(missing.held))}`);
  return store(deps, { event, draft: { ...drafted.draft, agreedMicroUsdc: price }, tip, language });
}

/** All that it costs now, the line for its cost included: what the next page names is the most that is ever signed. */
async function askTotal(
  { payments, networks, log }: CoreDeps,
  { id, route, body, network, payerAddress: payer, amountMicroUsdc }: Draft,
): Promise<MicroUsdc | { reason: string }> {
  const { pinned } = findNetwork(networks, network) ?? networks[0];
  const price = await payments.channel({ id, route, body, payer }).askPrice();
  if (price.kind === 'refused') return { reason: price.reason };
  if (price.kind !== 'price' || !isOfferedOn({ pinned })(price.challenge)) return { reason: 'unreachable' };
  const agreed = checkTerms(price.challenge, microUsdc(amountMicroUsdc), pinned);
  if (agreed.kind === 'agreed') return agreed.total;
  log.error({ found: agreed.found, wanted: agreed.wanted }, 'price refused');
  return { reason: 'price_not_agreed' };
}

/** A browser's chat has the browser's id. */
const placeOf = (holderId: string) => ({ transport: WEB_TRANSPORT, chatId: holderId });

function firstOf({ paragraphs: [first] }: View): Paragraph {
  if (first === undefined) throw new Error('a refusal says nothing');
  return first;
}

/** A sentence where it is no name. */
function readName({ platform: word, name }: SendForm): Recipient | string {
  const platform = findPlatform(word);
  if (platform === null || !SENDABLE.includes(platform)) throw new Error(`the page offers no ${word}`);
  try {
    return parseRecipient(platform, name);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.context.detail ?? error.message;
  }
}

/** Without it a chat would hand out a link for others to pay; here the person wanted to send what they have. */
async function findMissing(
  deps: CoreDeps,
  { network, walletId }: Draft,
  needed: MicroUsdc,
): Promise<{ held: MicroUsdc } | null> {
  const paying = findNetwork(deps.networks, network) ?? deps.networks[0];
  const { amount: held } = await readHolding(deps, paying, walletId);
  return held !== null && held < needed ? { held } : null;
}

type Placing = { event: TextEvent; draft: Draft; tip: Tip; language: Language };

async function store(deps: CoreDeps, { event, draft, tip, language }: Placing): Promise<Proposed> {
  const messenger = deps.messengers[WEB_TRANSPORT];
  if (!messenger) throw new Error('no messenger for browsers');
  const messageId = await messenger.open(event, workingView(deps.texts.thinking()));
  const placed = await placeOrder(deps, { ...draft, viaLink: false, messageId, language }, 'proposed', wordsOfTip(tip));
  if (placed.kind === 'view') throw new Error('a proposal outside communities was refused');
  return placed;
}

/**
 * For who may spend from the wallet that it is from. What another browser or chat account asked for is seen once that one has
 * agreed to it, and only where one person is sent it: the page is of one.
 */
export async function findSending(
  { store: books, clock }: Pick<CoreDeps, 'store' | 'clock'>,
  holderId: string,
  id: string,
): Promise<OrderRow | null> {
  const order = await findOrder(books, id);
  if (order === null || order.lines !== null) return null;
  const { walletId, status } = order;
  if ((await findWallet(books, { userId: holderId, walletId }, clock.now())) === null) return null;
  const isOwn = order.userId === holderId && order.transport === WEB_TRANSPORT;
  return isOwn || !NOT_AGREED.includes(status) ? order : null;
}

/** A link waits for anyone who pays it, from any wallet. */
const NOT_AGREED: readonly OrderRow['status'][] = ['proposed', 'linked'];
