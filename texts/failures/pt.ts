import { formatUsdcForPeople } from '../../core/money.ts';
import { code, line, strong, type Paragraph } from '../../core/view.ts';
import type { failuresEn } from './en.ts';
import { UNSETTLED_TIPS } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('pt');

const NOTHING_CHARGED = 'Nada foi cobrado.';

const tooLate = (recipient: string): Paragraph =>
  line`Não consegui enviar a tempo sua gorjeta para ${strong(named(recipient))}, então desisti dela. ${NOTHING_CHARGED} Digite de novo se ainda quiser enviar.`;
const notPayable = (recipient: string): Paragraph =>
  line`Ainda não dá para pagar daqui a nomes como ${strong(named(recipient))}. ${NOTHING_CHARGED}`;

const TEXTS: Record<string, (recipient: string) => Paragraph> = {
  receiver_not_found: (recipient) =>
    line`Não encontrei ${strong(named(recipient))}. Confira a escrita e tente de novo. ${NOTHING_CHARGED}`,
  receiver_opted_out: (recipient) => line`${strong(named(recipient))} não aceita gorjetas. ${NOTHING_CHARGED}`,
  declined: (recipient) =>
    line`Não posso enviar uma gorjeta para ${strong(named(recipient))} por este serviço. ${NOTHING_CHARGED} O suporte dele pode dizer mais.`,
  invalid_receiver: (recipient) =>
    line`${strong(named(recipient))} não é um nome que possa existir lá. ${NOTHING_CHARGED}`,
  platform_unavailable: notPayable,
  not_found: notPayable,
  service_paused: () =>
    line`Os pagamentos estão em pausa por um momento. ${NOTHING_CHARGED} Tente de novo em alguns minutos.`,
  service_closing: () =>
    line`Este serviço está encerrando e não aceita mais pagamentos. ${NOTHING_CHARGED} O que está guardado aqui para você pode ser sacado com ${code('/withdraw')}.`,
  rate_limited: () => line`Foi um pouco rápido demais. ${NOTHING_CHARGED} Tente de novo em um minuto.`,
  fee_required: () =>
    line`Hoje se envia mais do que consigo levar de graça, então esta gorjeta agora tem uma pequena taxa da rede. ${NOTHING_CHARGED} Digite de novo para enviar com a taxa.`,
  unreachable: () =>
    line`Não consigo falar com o serviço de pagamentos agora. ${NOTHING_CHARGED} Tente de novo em um minuto.`,
  too_many_unsettled_payments: () =>
    line`${UNSETTLED_TIPS} das suas gorjetas ainda estão a caminho. ${NOTHING_CHARGED} Espere alguma delas chegar.`,
  took_too_long: tooLate,
  payment_expired: tooLate,
  link_expired: (recipient) =>
    line`Ninguém pagou ${strong(named(recipient))} com o link a tempo, então ele não vale mais. ${NOTHING_CHARGED} Digite de novo se ainda quiser enviar.`,
  network_off: () =>
    line`A rede pela qual eu ia pagar não está mais disponível aqui. ${NOTHING_CHARGED} ${code('/balance')} mostra o que você tem.`,
  price_not_agreed: () => line`O preço que me pediram não é o que eu conheço, então não paguei. ${NOTHING_CHARGED}`,
  unreadable_price: () => line`O serviço de pagamentos respondeu algo que não entendo. ${NOTHING_CHARGED}`,
  not_signed: () => line`Algo deu errado do meu lado, então não paguei. ${NOTHING_CHARGED}`,
};

// A map, because reasons come from outside: "constructor" is no reason.
const FAILURES = new Map(Object.entries(TEXTS));

export const failuresPt: typeof failuresEn = {
  failure: (reason, recipient) =>
    FAILURES.get(reason)?.(recipient) ??
    // For words that we do not know it cannot be promised that nothing moved; the balance says.
    line`Sua gorjeta para ${strong(named(recipient))} foi recusada (${code(reason)}). ${code('/balance')} mostra o que você tem.`,

  missing: (needed, balance, missing) =>
    line`Você precisa de ${strong(`${formatUsdcForPeople(needed)} USDC`)} e tem ${formatUsdcForPeople(balance)}, então faltam ${strong(`${formatUsdcForPeople(missing)} USDC`)}. ${NOTHING_CHARGED}`,
  wasMissing: () => line`Não havia dinheiro suficiente quando tentei pagar. ${NOTHING_CHARGED}`,
  howToAdd: () => line`${code('/deposit')} mostra como adicionar dinheiro.`,
};
