import { formatUsdcForPeople } from '../../core/money.ts';
import { code, line, strong, type Paragraph } from '../../core/view.ts';
import type { failuresEn } from './en.ts';
import { UNSETTLED_TIPS } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('de');

const NOTHING_CHARGED = 'Es wurde nichts abgebucht.';

const tooLate = (recipient: string): Paragraph =>
  line`Ich habe dein Trinkgeld an ${strong(named(recipient))} nicht rechtzeitig durchbekommen und es deshalb verworfen. ${NOTHING_CHARGED} Tipp es noch einmal ein, wenn du es weiter senden möchtest.`;
const notPayable = (recipient: string): Paragraph =>
  line`Namen wie ${strong(named(recipient))} kann ich von hier aus noch nicht bezahlen. ${NOTHING_CHARGED}`;

const TEXTS: Record<string, (recipient: string) => Paragraph> = {
  receiver_not_found: (recipient) =>
    line`Ich konnte ${strong(named(recipient))} nicht finden. Prüf die Schreibweise und versuch es noch einmal. ${NOTHING_CHARGED}`,
  receiver_opted_out: (recipient) => line`${strong(named(recipient))} nimmt kein Trinkgeld an. ${NOTHING_CHARGED}`,
  declined: (recipient) =>
    line`Über diesen Dienst kann ich ${strong(named(recipient))} kein Trinkgeld schicken. ${NOTHING_CHARGED} Sein Support kann dir mehr dazu sagen.`,
  invalid_receiver: (recipient) =>
    line`Einen Namen wie ${strong(named(recipient))} kann es dort nicht geben. ${NOTHING_CHARGED}`,
  platform_unavailable: notPayable,
  not_found: notPayable,
  service_paused: () =>
    line`Zahlungen machen gerade eine kurze Pause. ${NOTHING_CHARGED} Bitte versuch es in ein paar Minuten noch einmal.`,
  service_closing: () =>
    line`Dieser Dienst schließt und nimmt keine Zahlungen mehr an. ${NOTHING_CHARGED} Was hier für dich aufbewahrt wird, kannst du mit ${code('/withdraw')} auszahlen.`,
  rate_limited: () => line`Das war etwas schnell. ${NOTHING_CHARGED} Bitte versuch es in einer Minute noch einmal.`,
  fee_required: () =>
    line`Heute wird mehr verschickt, als ich kostenlos tragen kann. Zu diesem Trinkgeld kommt deshalb jetzt eine kleine Gebühr für das Netz. ${NOTHING_CHARGED} Tipp es noch einmal ein, um es mit der Gebühr zu senden.`,
  unreachable: () =>
    line`Ich erreiche den Zahlungsdienst gerade nicht. ${NOTHING_CHARGED} Bitte versuch es in einer Minute noch einmal.`,
  too_many_unsettled_payments: () =>
    line`${UNSETTLED_TIPS} deiner Trinkgelder sind noch unterwegs. ${NOTHING_CHARGED} Bitte warte, bis eines angekommen ist.`,
  took_too_long: tooLate,
  payment_expired: tooLate,
  link_expired: (recipient) =>
    line`Niemand hat ${strong(named(recipient))} rechtzeitig über den Link bezahlt, also gilt er nicht mehr. ${NOTHING_CHARGED} Tipp es noch einmal, wenn du es immer noch senden willst.`,
  network_off: () =>
    line`Das Netzwerk, über das ich zahlen wollte, gibt es hier nicht mehr. ${NOTHING_CHARGED} ${code('/balance')} zeigt, was du hast.`,
  price_not_agreed: () =>
    line`Von mir wurde ein anderer Preis verlangt als der, den ich kenne, also habe ich nicht gezahlt. ${NOTHING_CHARGED}`,
  unreadable_price: () => line`Der Zahlungsdienst hat etwas geantwortet, das ich nicht verstehe. ${NOTHING_CHARGED}`,
  not_signed: () => line`Bei mir ist etwas schiefgegangen, also habe ich nicht gezahlt. ${NOTHING_CHARGED}`,
};

// A map, because reasons come from outside: "constructor" is no reason.
const FAILURES = new Map(Object.entries(TEXTS));

export const failuresDe: typeof failuresEn = {
  failure: (reason, recipient) =>
    FAILURES.get(reason)?.(recipient) ??
    // For words that we do not know it cannot be promised that nothing moved; the balance says.
    line`Dein Trinkgeld an ${strong(named(recipient))} wurde abgelehnt (${code(reason)}). ${code('/balance')} zeigt, was du hast.`,

  missing: (needed, balance, missing) =>
    line`Du brauchst ${strong(`${formatUsdcForPeople(needed)} USDC`)} und hast ${formatUsdcForPeople(balance)}, also fehlen ${strong(`${formatUsdcForPeople(missing)} USDC`)}. ${NOTHING_CHARGED}`,
  wasMissing: () => line`Als ich zahlen wollte, war nicht genug Geld da. ${NOTHING_CHARGED}`,
  howToAdd: () => line`${code('/deposit')} zeigt, wie du Geld einzahlst.`,
};
