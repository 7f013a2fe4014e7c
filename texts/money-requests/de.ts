import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { AnsweredStage, requestsEn } from './en.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);

/** How far one person of a bill is. */
const BILL_STAGES: Record<'open' | AnsweredStage, string> = {
  open: 'offen',
  agreed: 'hat Ja gesagt',
  sent: 'gesendet, unterwegs',
  paid: 'gezahlt',
  unpaid: 'nicht gezahlt',
  declined: 'diesmal nicht',
  ended: 'keine Antwort',
};

export const requestsDe: typeof requestsEn = {
  requestCard: ({ asker, asked, amount, reason, days }) => [
    line`${strong(asked)}, ${asker} bittet dich um ${usdc(amount)}.`,
    ...(reason === null ? [] : [line`“${reason}”`]),
    [
      muted(
        `Nur wer gefragt ist, kann hier zahlen. Es endet in ${String(days)} Tagen, und ich erinnere niemanden daran.`,
      ),
    ],
  ],
  payRequest: (amount) => `${formatUsdcForPeople(amount)} USDC zahlen`,
  declineRequest: () => 'Ablehnen',
  neverRequest: () => 'Von dieser Person nie mehr',
  requestStage: (stage, { asker, asked, amount }) => {
    switch (stage) {
      case 'agreed':
        return line`${asked} hat zu ${usdc(amount)} für ${asker} Ja gesagt.`;
      case 'sent':
        return line`${asked} hat ${usdc(amount)} an ${asker} geschickt. Es ist noch nicht angekommen.`;
      case 'paid':
        return line`${asked} hat ${usdc(amount)} an ${asker} gezahlt.`;
      case 'unpaid':
        return line`${asker} hat ${asked} um ${usdc(amount)} gebeten. Es wurde nicht bezahlt.`;
      case 'declined':
        return line`${asker} hat ${asked} um ${usdc(amount)} gebeten. Diesmal nicht.`;
      case 'ended':
        return line`${asker} hat ${asked} um ${usdc(amount)} gebeten. Es kam keine Antwort in der Zeit.`;
    }
  },
  billCard: ({ asker, sum, reason, days }, people) => [
    line`${asker} bittet zusammen um ${usdc(sum)}:`,
    ...people,
    ...(reason === null ? [] : [line`“${reason}”`]),
    ...(days === null
      ? []
      : [
          [
            muted(
              `Nur wer gefragt ist, kann hier zahlen, jede Person ihren Teil. Es endet in ${String(days)} Tagen, und ich erinnere niemanden daran.`,
            ),
          ],
        ]),
  ],
  billLine: (name, amount, stage) => line`${strong(name)}: ${usdc(amount)} · ${BILL_STAGES[stage]}`,
  payShare: () => 'Meinen Teil zahlen',
  cannotAsk: (name) =>
    line`${strong(name)} kannst du nicht fragen, deshalb wurde niemand gefragt. Diese Person kann es mit ${code('/request on')} erlauben, oder indem sie dir zuerst etwas sendet.`,
  notYourRequest: () => line`Das kann nur drücken, wer gefragt ist.`,
  neverAgain: () =>
    line`Erledigt. Diese Person kann dich nicht mehr um Geld bitten und erfährt es nicht. ${code('/request on @name')} erlaubt es wieder.`,
  requestsChosen: (isAllowed) =>
    isAllowed
      ? line`Andere in deinen Gruppen dürfen dich jetzt um Geld bitten. Du entscheidest jedes Mal.`
      : line`Niemand darf dich mehr um Geld bitten.`,
  requestsChosenFor: (name, isAllowed) =>
    isAllowed
      ? line`${strong(name)} darf dich jetzt um Geld bitten. Du entscheidest jedes Mal.`
      : line`${strong(name)} kann dich nicht mehr um Geld bitten und erfährt es nicht.`,
  explainRequests: () => [
    line`${code('/request @name 5 lunch')} bittet jemanden aus dieser Gruppe um Geld. Nur diese Person kann auf Zahlen drücken.`,
    line`Fragen kannst du, wer ${code('/request on')} geschrieben oder dir schon etwas gezahlt hat. ${code('/request off')} schaltet es wieder aus.`,
  ],
  requestProblem: (problem, { open, sent, got, people }) => {
    switch (problem) {
      case 'elsewhere':
        return line`Frag in der Gruppe, in der ihr beide seid: Dort sehen alle, worum gebeten wird.`;
      case 'too_many_people':
        return line`Frag höchstens ${String(people)} Leute auf einmal.`;
      case 'exact_amount':
        return line`Schreib, um wie viel du bittest.`;
      case 'not_here':
        return line`Ich kann nur jemanden fragen, der in dieser Gruppe schreibt.`;
      case 'self':
        return line`Das bist du selbst.`;
      case 'bot':
        return line`Das ist ein Bot. Er hat kein Geld.`;
      case 'closed':
        return line`Diese Person kannst du nicht fragen. Sie kann es mit ${code('/request on')} erlauben, oder indem sie dir zuerst etwas sendet.`;
      case 'plain_reason':
        return line`Bitte in wenigen Worten: ohne Links, Namen oder Zahlen.`;
      case 'too_many_open':
        return line`${String(open)} deiner Bitten sind noch offen. Warte, bis eine beantwortet ist.`;
      case 'asked_often':
        return line`Diese Person wurde heute schon ${String(got)} Mal gefragt. Versuch es morgen.`;
      case 'asks_often':
        return line`Du hast heute schon ${String(sent)} Mal gefragt. Versuch es morgen.`;
    }
  },
};
