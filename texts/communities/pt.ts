import type { ReceiptStyle } from '../../core/communities/community-settings.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { settingsEn } from './en.ts';
import { KNOWN_ANSWERS, KNOWN_DAYS, PLACES_MAX, SMALL_REWARD } from '../rules/rules.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const listed = (names: readonly string[], more: number): Span =>
  strong(more === 0 ? names.join(', ') : `${names.join(', ')} e mais ${more}`);

const RECEIPTS: Record<ReceiptStyle, Paragraph> = {
  message: line`Recibos: uma ${strong('mensagem')} por gorjeta`,
  reaction: line`Recibos: uma ${strong('reação')} à gorjeta`,
  none: line`Recibos: em público ${strong('nenhum')}`,
};

export const settingsPt: typeof settingsEn = {
  settingsTitle: () => line`O que vale para gorjetas aqui, e como mudar:`,
  settingsChanged: () => line`Feito. De agora em diante:`,
  settingsElsewhere: () => line`Escreva ${code('/settings')} no servidor ou grupo de que se trata. Aqui estamos a sós.`,
  settingsForModerators: () => line`Só quem modera aqui pode fazer isso.`,

  setting: (fact) => {
    switch (fact.setting) {
      case 'channels':
        if (fact.names.length === 0) return line`Gorjetas: aqui ${strong('em todo lugar')}`;
        return line`Gorjetas: só em ${listed(fact.names, fact.more)}`;
      case 'min':
        return fact.amount === null
          ? line`No mínimo: ${strong('qualquer valor')}`
          : line`No mínimo: ${usdc(fact.amount)}`;
      case 'max':
        return fact.amount === null
          ? line`No máximo: ${strong('qualquer valor')}`
          : line`No máximo: ${usdc(fact.amount)}`;
      case 'cooldown':
        if (fact.time === null) return line`Entre duas gorjetas de uma pessoa: ${strong('sem espera')}`;
        return line`Entre duas gorjetas de uma pessoa: ${strong(fact.time)}`;
      case 'receipts':
        return RECEIPTS[fact.style];
      case 'notes':
        return fact.isOn ? line`Recados: ${strong('permitidos')}` : line`Recados: ${strong('não permitidos')}`;
      case 'language':
        return fact.name === null
          ? line`O que digo a todos aqui: ${strong('no idioma de quem me escreve')}`
          : line`O que digo a todos aqui: em ${strong(fact.name)}`;
      case 'lifetime':
        if (fact.time === null) return line`Minhas mensagens: ${strong('ficam')}`;
        return line`Minhas mensagens: apagadas depois de ${strong(fact.time)}`;
      case 'log':
        return fact.name === null
          ? line`Registro de gorjetas: ${strong('nenhum')}`
          : line`Registro de gorjetas: ${strong(fact.name)}`;
      case 'role':
        if (!fact.hasRoles) return line`Quem confirma recompensas são os administradores deste grupo.`;
        if (fact.name === null) return line`Quem confirma recompensas: ${strong('quem modera')}`;
        return line`Quem confirma recompensas: quem modera e ${strong(fact.name)}`;
      case 'drops':
        if (!fact.hasRoles)
          return line`As distribuições são para quem está aqui há ${KNOWN_DAYS} dias e teve ${KNOWN_ANSWERS} mensagens respondidas.`;
        return fact.name === null
          ? line`As distribuições são para: ${strong('ninguém ainda')}`
          : line`As distribuições são para: ${strong(fact.name)}`;
      case 'quorum':
        return line`Recompensas acima de ${SMALL_REWARD} USDC são confirmadas por: ${strong(String(fact.count))}`;
      case 'ban':
        return line`Proibidos de dar gorjetas: ${strong(String(fact.count))}`;
    }
  },

  settingsProblem: (problem) => {
    switch (problem.code) {
      case 'min_above_max':
        return line`Aí uma gorjeta seria de no mínimo ${usdc(problem.min)} e no máximo ${usdc(problem.max)}, e ninguém poderia dar nenhuma:`;
      case 'everywhere_already':
        return line`Aqui as gorjetas são permitidas em todo lugar. Para deixá-las só em alguns lugares, escreva isto em cada um deles:`;
      case 'too_many_channels':
        return line`Seriam mais de ${strong(PLACES_MAX)} lugares.`;
      case 'role_of_all':
        return line`Todo mundo tem esse cargo, e quem o tem poderia gastar as recompensas. Escolha outro:`;
      case 'drops_for_all':
        return line`Todo mundo tem esse cargo, e quem acabou de chegar levaria as partes. Escolha um que se conquista:`;
      case 'not_owner':
        return line`Só quem é dono deste servidor pode dizer quem confirma recompensas e quantos.`;
    }
  },
  banned: (name) =>
    line`${strong(name)} não pode mais dar gorjetas aqui, e não foi avisado. O dinheiro continua sendo de quem é.`,
  unbanned: (name) => line`${strong(name)} pode dar gorjetas aqui de novo.`,
  wasNotBanned: (name) => line`${strong(name)} não estava proibido de dar gorjetas aqui.`,
  noSelfBan: () => line`Essa pessoa é você. Mencione outra:`,

  ruleProblem: (problem, wait) => {
    switch (problem.code) {
      case 'banned':
        return line`Quem modera aqui não deixa você dar gorjetas. O seu dinheiro continua seu: ${code('/balance')}, ${code('/withdraw')}.`;
      case 'other_channel':
        return line`Este lugar não é para gorjetas. Aqui elas vão em ${listed(problem.names, problem.more)}.`;
      case 'no_notes':
        return line`Aqui as gorjetas vão sem recado:`;
      case 'below_min':
        return line`Aqui uma gorjeta é de no mínimo ${usdc(problem.limit)} por pessoa:`;
      case 'above_max':
        return line`Aqui uma gorjeta é de no máximo ${usdc(problem.limit)} por pessoa:`;
      case 'too_soon':
        return line`Aqui passa algum tempo entre duas gorjetas. Você pode enviar a próxima em ${strong(wait)}.`;
    }
  },
};
