import { formatUsdcForPeople } from '../../core/money.ts';
import { code, line, strong, type Paragraph } from '../../core/view.ts';
import type { failuresEn } from './en.ts';
import { UNSETTLED_TIPS } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('es');

const NOTHING_CHARGED = 'No se cobró nada.';

const tooLate = (recipient: string): Paragraph =>
  line`No logré enviar a tiempo tu propina a ${strong(named(recipient))}, así que la descarté. ${NOTHING_CHARGED} Escríbela otra vez si todavía quieres enviarla.`;
const notPayable = (recipient: string): Paragraph =>
  line`Todavía no se puede pagar desde aquí a nombres como ${strong(named(recipient))}. ${NOTHING_CHARGED}`;

const TEXTS: Record<string, (recipient: string) => Paragraph> = {
  receiver_not_found: (recipient) =>
    line`No encontré a ${strong(named(recipient))}. Revisa cómo se escribe y vuelve a intentarlo. ${NOTHING_CHARGED}`,
  receiver_opted_out: (recipient) => line`${strong(named(recipient))} no acepta propinas. ${NOTHING_CHARGED}`,
  declined: (recipient) =>
    line`No puedo enviar una propina a ${strong(named(recipient))} con este servicio. ${NOTHING_CHARGED} Su soporte puede decirte más.`,
  invalid_receiver: (recipient) =>
    line`${strong(named(recipient))} no es un nombre que pueda existir ahí. ${NOTHING_CHARGED}`,
  platform_unavailable: notPayable,
  not_found: notPayable,
  service_paused: () =>
    line`Los pagos están en pausa por un momento. ${NOTHING_CHARGED} Vuelve a intentarlo en unos minutos.`,
  service_closing: () =>
    line`Este servicio cierra: ya no acepta pagos. ${NOTHING_CHARGED} Lo que guardas aquí se puede retirar con ${code('/withdraw')}.`,
  rate_limited: () => line`Fue un poco rápido. ${NOTHING_CHARGED} Vuelve a intentarlo en un minuto.`,
  fee_required: () =>
    line`Hoy se envía más de lo que puedo llevar gratis, así que a esta propina se le suma ahora una pequeña comisión de la red. ${NOTHING_CHARGED} Escríbela otra vez para enviarla con la comisión.`,
  unreachable: () =>
    line`Ahora mismo no puedo conectar con el servicio de pagos. ${NOTHING_CHARGED} Vuelve a intentarlo en un minuto.`,
  too_many_unsettled_payments: () =>
    line`${UNSETTLED_TIPS} de tus propinas siguen en camino. ${NOTHING_CHARGED} Espera a que llegue alguna.`,
  took_too_long: tooLate,
  payment_expired: tooLate,
  link_expired: (recipient) =>
    line`Nadie pagó a ${strong(named(recipient))} con el enlace a tiempo, así que ya no vale. ${NOTHING_CHARGED} Escríbelo de nuevo si aún quieres enviarlo.`,
  network_off: () =>
    line`La red por la que quería pagar ya no está disponible aquí. ${NOTHING_CHARGED} ${code('/balance')} te muestra lo que tienes.`,
  price_not_agreed: () => line`Me pidieron un precio distinto del que conozco, así que no pagué. ${NOTHING_CHARGED}`,
  unreadable_price: () => line`El servicio de pagos respondió algo que no entiendo. ${NOTHING_CHARGED}`,
  not_signed: () => line`Algo falló de mi lado, así que no pagué. ${NOTHING_CHARGED}`,
};

// A map, because reasons come from outside: "constructor" is no reason.
const FAILURES = new Map(Object.entries(TEXTS));

export const failuresEs: typeof failuresEn = {
  failure: (reason, recipient) =>
    FAILURES.get(reason)?.(recipient) ??
    // For words that we do not know it cannot be promised that nothing moved; the balance says.
    line`Tu propina a ${strong(named(recipient))} fue rechazada (${code(reason)}). ${code('/balance')} te muestra lo que tienes.`,

  missing: (needed, balance, missing) =>
    line`Necesitas ${strong(`${formatUsdcForPeople(needed)} USDC`)} y tienes ${formatUsdcForPeople(balance)}, así que faltan ${strong(`${formatUsdcForPeople(missing)} USDC`)}. ${NOTHING_CHARGED}`,
  wasMissing: () => line`No había dinero suficiente cuando intenté pagar. ${NOTHING_CHARGED}`,
  howToAdd: () => line`${code('/deposit')} te explica cómo añadir dinero.`,
};
