import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { AnsweredStage, requestsEn } from './en.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);

/** How far one person of a bill is. */
const BILL_STAGES: Record<'open' | AnsweredStage, string> = {
  open: 'pendiente',
  agreed: 'dijo que sí',
  sent: 'enviado, en camino',
  paid: 'pagado',
  unpaid: 'sin pagar',
  declined: 'esta vez no',
  ended: 'sin respuesta',
};

export const requestsEs: typeof requestsEn = {
  requestCard: ({ asker, asked, amount, reason, days }) => [
    line`${strong(asked)}, ${asker} te pide ${usdc(amount)}.`,
    ...(reason === null ? [] : [line`“${reason}”`]),
    [
      muted(
        `Solo puede pagarlo aquí la persona a quien se le pide. Termina en ${String(days)} días y no se lo recordaré a nadie.`,
      ),
    ],
  ],
  payRequest: (amount) => `Pagar ${formatUsdcForPeople(amount)} USDC`,
  declineRequest: () => 'Rechazar',
  neverRequest: () => 'De esta persona, nunca más',
  requestStage: (stage, { asker, asked, amount }) => {
    switch (stage) {
      case 'agreed':
        return line`${asked} dijo que sí a ${usdc(amount)} para ${asker}.`;
      case 'sent':
        return line`${asked} envió ${usdc(amount)} a ${asker}. Todavía no ha llegado.`;
      case 'paid':
        return line`${asked} pagó ${usdc(amount)} a ${asker}.`;
      case 'unpaid':
        return line`${asker} le pidió ${usdc(amount)} a ${asked}. No se pagó.`;
      case 'declined':
        return line`${asker} le pidió ${usdc(amount)} a ${asked}. Esta vez no.`;
      case 'ended':
        return line`${asker} le pidió ${usdc(amount)} a ${asked}. Nadie respondió a tiempo.`;
    }
  },
  billCard: ({ asker, sum, reason, days }, people) => [
    line`${asker} pide ${usdc(sum)} en total:`,
    ...people,
    ...(reason === null ? [] : [line`“${reason}”`]),
    ...(days === null
      ? []
      : [
          [
            muted(
              `Solo quien recibe la petición puede pagar aquí, cada cual su parte. Termina en ${String(days)} días y no se lo recordaré a nadie.`,
            ),
          ],
        ]),
  ],
  billLine: (name, amount, stage) => line`${strong(name)}: ${usdc(amount)} · ${BILL_STAGES[stage]}`,
  payShare: () => 'Pagar mi parte',
  cannotAsk: (name) =>
    line`No puedes pedirle a ${strong(name)}, así que no se pidió a nadie. Puede permitirlo con ${code('/request on')} o enviándote algo antes.`,
  notYourRequest: () => line`Solo puede pulsarlo la persona a quien se le pide.`,
  neverAgain: () =>
    line`Hecho. Ya no puede pedirte dinero y no se entera. ${code('/request on @name')} vuelve a permitirlo.`,
  requestsChosen: (isAllowed) =>
    isAllowed
      ? line`Ahora otras personas de tus grupos pueden pedirte dinero. Tú decides cada vez.`
      : line`Ya nadie puede pedirte dinero.`,
  requestsChosenFor: (name, isAllowed) =>
    isAllowed
      ? line`Ahora ${strong(name)} puede pedirte dinero. Tú decides cada vez.`
      : line`${strong(name)} ya no puede pedirte dinero y no se entera.`,
  explainRequests: () => [
    line`${code('/request @name 5 lunch')} le pide dinero a alguien de este grupo. Solo esa persona puede pulsar Pagar.`,
    line`Puedes pedir a quien escribió ${code('/request on')} o ya te pagó algo. ${code('/request off')} lo desactiva.`,
  ],
  requestProblem: (problem, { open, sent, got, people }) => {
    switch (problem) {
      case 'elsewhere':
        return line`Pídelo en el grupo donde están los dos: allí todos ven qué se pide.`;
      case 'too_many_people':
        return line`Pide como máximo a ${String(people)} personas a la vez.`;
      case 'exact_amount':
        return line`Di cuánto pides.`;
      case 'not_here':
        return line`Solo puedo pedírselo a alguien que escribe en este grupo.`;
      case 'self':
        return line`Esa persona eres tú.`;
      case 'bot':
        return line`Eso es un bot. No tiene dinero.`;
      case 'closed':
        return line`No puedes pedirle a esta persona. Puede permitirlo con ${code('/request on')} o enviándote algo primero.`;
      case 'plain_reason':
        return line`En pocas palabras, por favor: sin enlaces, nombres ni números.`;
      case 'too_many_open':
        return line`${String(open)} de tus peticiones siguen abiertas. Espera a que respondan una.`;
      case 'asked_often':
        return line`Hoy ya le pidieron ${String(got)} veces a esta persona. Prueba mañana.`;
      case 'asks_often':
        return line`Hoy ya has pedido ${String(sent)} veces. Prueba mañana.`;
    }
  },
};
