import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { AddressRefusal } from '../../core/payments/payout-address.ts';
import { AT_ONCE_DAILY_MAX } from '../../core/wallets/withdrawal-wait.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import { WITHDRAWALS_DAILY_MAX, WITHDRAWALS_OPEN_MAX } from '../../core/wallets/withdrawal-wait.ts';
import type { WithdrawalFailure } from '../../core/states.ts';
import type { withdrawalsEn } from './en.ts';
import { WITHDRAWAL_WAIT_HOURS, WITHDRAWAL_WAIT_MAX_HOURS, WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';
import { nameForPayer } from '../names/person.ts';
import { momentIn } from '../rules/moment.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('pt-BR');

const ADDRESS_REFUSALS: Record<AddressRefusal, string> = {
  not_an_address:
    'Isso não é um endereço. Na Base é 0x e 40 algarismos ou letras de a até f; na Solana, de 32 a 44 letras e algarismos.',
  wrong_checksum:
    'Este endereço tem um erro de digitação: as letras maiúsculas e minúsculas não combinam. Copie de novo, por favor.',
  ours: 'Este endereço é deste serviço. Informe um que seja seu.',
  nobody: 'Este endereço não é de ninguém: o dinheiro enviado para lá se perderia.',
  system: 'Este endereço é parte da própria rede, não de uma pessoa: o dinheiro enviado para lá se perderia.',
  token: 'Este é o endereço de um token, não de uma pessoa.',
  token_account: 'Esta é uma conta de token. Informe o endereço da carteira dona dela.',
  special_account: 'Esta conta é para staking ou para assinar mais tarde. Informe o endereço da própria carteira.',
  program: 'Este endereço é de um programa, não da carteira de uma pessoa.',
  foreign_account: 'A conta de USDC desta carteira agora é de outra pessoa, e seria ela quem receberia o dinheiro.',
  blacklisted: 'O emissor do USDC bloqueou este endereço, então nenhum USDC pode chegar lá.',
};

const FAILURES: Record<WithdrawalFailure, string> = {
  insufficient_funds: 'A carteira não tem mais tudo isso.',
  sender_blacklisted: 'O USDC não permite que esta carteira envie.',
  recipient_blacklisted: 'O USDC não permite que esse endereço receba.',
  forbidden_address: 'O dinheiro enviado para esse endereço se perderia, então ele não é enviado.',
  no_token_account: 'Esse endereço ainda não tem uma conta de USDC, e não é possível abrir uma agora.',
  token_account_not_theirs: 'A conta de USDC desse endereço agora é de outra pessoa.',
  invalid_signature: 'O que foi assinado não é o que foi pedido, então não é enviado.',
  failed_on_chain: 'A rede recusou a transferência várias vezes.',
  gave_up: 'Não foi possível enviar a tempo. Peça de novo.',
  cancelled: 'Foi cancelado.',
};
// A map, because the word comes from a row that may be older than this program.
const BY_WORD = new Map<string, string>(Object.entries(FAILURES));
export const whyFailedPt = (failure: string | null): string => BY_WORD.get(failure ?? '') ?? 'Não foi possível enviar.';

export const withdrawalsPt: typeof withdrawalsEn = {
  withdrawHelp: (isGuarded) => [
    line`Diga quanto e para qual endereço: ${code('/withdraw all 0x…')} ou ${code('/withdraw 5 0x…')}.`,
    line`Um endereço que começa com 0x é da Base; qualquer outro, da Solana. Eu mostro tudo antes de enviar.`,
    isGuarded
      ? line`Uma chave de acesso protege este dinheiro, e um chat não pode pedi-la. Por isso, o que você saca aqui sai depois de ${WITHOUT_PASSKEY_HOURS} horas. Com a chave, na página do seu dinheiro, é mais rápido.`
      : line`Para o primeiro endereço, ${people(AT_ONCE_DAILY_MAX)} USDC por dia saem na hora. O que passar disso, e o que for para outro endereço novo, sai depois de ${WITHDRAWAL_WAIT_HOURS} horas, ou de até ${WITHDRAWAL_WAIT_MAX_HOURS} se não conseguirmos avisar você em outro chat ou por e-mail.`,
  ],
  confirmWithdraw: ({ amount, place, address }, name) => [
    line`Enviar ${usdc(amount)}${name === null ? '' : ` do que você guardou como ${nameForPayer(name, 'pt')}`} pela rede ${strong(place)} para este endereço?`,
    line`${code(address)}`,
    line`Confira mais uma vez, por favor: o que vai para um endereço errado não volta.`,
  ],
  confirmWithdrawButton: (amount) => `Enviar ${people(amount)} USDC`,

  withdrawLeaves: (at, isGuarded) =>
    isGuarded
      ? line`Uma chave de acesso protege este dinheiro, e um chat não pode pedi-la. Por isso ele sai em ${time(at)}. Até lá você pode cancelar.`
      : line`Este endereço é novo para esta carteira, então o dinheiro sai em ${time(at)}: assim ninguém o leva sem você ver. Até lá você pode cancelar.`,
  withdrawWaits: ({ amount, place, address }, at) =>
    line`${usdc(amount)} saem em ${time(at)} pela rede ${place} para ${code(address)}. Até lá ficam onde estão.`,
  withdrawNotYou: () =>
    line`Se não foi você, cancele com ${code('/withdraw cancel')} e bloqueie os gastos com ${code('/lock')}.`,
  cancelWithdraw: () => 'Cancelar',
  withdrawCancelled: ({ amount, place, address }) =>
    line`Cancelado: ${usdc(amount)} para ${code(address)} na rede ${place} ficam onde estão.`,
  withdrawBecomesKnown: ({ amount, place, address }, at) =>
    line`${usdc(amount)} saíram pela rede ${place} para ${code(address)}. A partir de ${time(at)} qualquer valor pode sair na hora para esse endereço.`,
  withdrawNewAgain: ({ amount, place, address }) =>
    line`Nada mais sai na hora para ${code(address)} na rede ${place}: o endereço volta a contar como novo. ${usdc(amount)} já tinham saído.`,
  noWithdrawWaits: () => line`Nenhum saque está esperando, então não há o que cancelar.`,

  withdrawWaitsForAccount: ({ amount, place, address }, at) =>
    line`${code(address)} ainda não tem conta de USDC na rede ${place}, e as contas que abro por dia acabaram. ${usdc(amount)} ficam onde estão; tento de novo a partir de ${time(at)}.`,
  withdrawing: ({ amount, place, address }) =>
    line`Enviando ${usdc(amount)} pela rede ${place} para ${code(address)}. Pode levar alguns minutos, e não é possível enviar duas vezes.`,
  withdrawn: ({ amount, place, address }) => line`${usdc(amount)} chegaram pela rede ${place} em ${code(address)}.`,
  transaction: (transaction) => [muted(`Transação ${transaction}`)],
  seeTransaction: () => 'Ver a transação',
  withdrawFailed: ({ amount }, failure) => line`Seus ${usdc(amount)} ficaram onde estavam. ${whyFailedPt(failure)}`,

  withdrawProblem: (problem) => {
    switch (problem.code) {
      case 'network_off':
        return line`Aqui não dá para enviar nada pela rede ${problem.place}.`;
      case 'which_network':
        return line`Em qual rede?`;
      case 'unreachable':
        return line`Não consigo falar com a rede ${problem.place} agora, então não enviei nada. Tente de novo em um minuto.`;
      case 'address':
        return line`${ADDRESS_REFUSALS[problem.reason]}`;
      case 'own_address':
        return line`Esse é o endereço desta própria carteira. Informe um de outro lugar.`;
      case 'too_little':
        return line`O mínimo que eu envio é ${people(problem.least)} USDC.`;
      case 'not_enough':
        return problem.held === 0n
          ? line`Não há nada na rede ${problem.place}.`
          : line`Há só ${people(problem.held)} USDC na rede ${problem.place}.`;
    }
  },
  withdrawNotHeld: () => line`Você não tem mais acesso a esta carteira, então não enviei nada.`,
  // The sentence that comes along is English, so this one says both limits.
  withdrawLimited: () =>
    line`Uma carteira pode ter ${String(WITHDRAWALS_OPEN_MAX)} saques a caminho e ${String(WITHDRAWALS_DAILY_MAX)} por dia. Espere algum chegar, ou continue amanhã.`,
};
