import type { NoticePageTexts } from './en.ts';

export const noticePagePt: NoticePageTexts = {
  eyebrow: 'E-mails',
  stopTitle: 'Chega de e-mails sobre dinheiro?',
  stopDescription: 'Um clique e não escrevemos mais.',
  stopLead: 'Nunca mais escreveremos que há dinheiro esperando por você.',
  stopButton: 'Não escrever mais',
  stopHint: 'O dinheiro que enviarem para você ainda pode ser resgatado. O que você não resgatar volta para onde veio.',
  stoppedTitle: 'Não escrevemos mais',
  stoppedDescription: 'Não haverá mais e-mails sobre dinheiro que espera.',
  stoppedLead: 'A partir de agora não haverá mais e-mails sobre dinheiro que espera por você.',
  stoppedNote:
    'Só chegará o que você mesmo pedir, como um código ao resgatar, e um aviso quando algo for mudar com o seu dinheiro.',
  holdTitle: 'Cancelar as mudanças?',
  holdLead: 'Todas as mudanças previstas para este dinheiro serão canceladas.',
  holdNote:
    'Quem entrou e ainda não pode enviar perde o acesso, as chaves de acesso novas são removidas e o que ia ser sacado fica.',
  holdButton: 'Cancelar as mudanças',
  heldTitle: 'Mudanças canceladas',
  heldNote: 'Nada mais muda, e o dinheiro está onde estava. Se outra pessoa pode ler seus e-mails, troque a senha.',
  overTitle: 'Este link não vale mais',
  overNote: 'Aquilo de que ele tratava já aconteceu ou foi cancelado. Entre para ver seu dinheiro.',
  seePurse: 'Ver seu dinheiro',
};
