import type { WireStatus } from '../states.ts';
import { line, muted, strong } from '../view.ts';
import type { severalReceiptEn } from './en-several.ts';

const STATES: Readonly<Record<WireStatus, string>> = {
  queued: 'Unterwegs zu',
  pending_claim: 'Wartet auf',
  paid: 'Angekommen bei',
  held: 'Vorerst zurückgehalten für',
  refunded: 'Zurück bei dir, war für',
};

export const severalReceiptDe: typeof severalReceiptEn = {
  forSeveral: (total, count) => line`${total} für ${strong(count === 1 ? '1 Person' : `${count} Personen`)}.`,
  stateOfSeveral: (status, { names, more }) =>
    line`${STATES[status]} ${strong(names.join(', '))}${more === 0 ? '' : ` und ${more} weitere`}.`,
  sendEachReceipt: () => line`Schick allen ihren Beleg: Dort lässt sich das Geld abholen.`,
  sendEachReceiptUntil: (day) =>
    line`Schick allen ihren Beleg: Dort lässt sich das Geld bis zum ${day} abholen. Danach kommt es zu dir zurück.`,
  otherReceipts: (count) => [
    muted(`Wer gezahlt hat, findet ${count === 1 ? 'den anderen Beleg' : `die anderen ${count} Belege`} mit /history.`),
  ],
};
