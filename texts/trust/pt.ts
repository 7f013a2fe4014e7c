import { receiptPagePt } from '../receipt-page/pt.ts';
import type { TrustTexts } from './en.ts';

export const trustPt: TrustTexts = {
  links: { real: 'Isto é de verdade?', help: 'Ajuda', terms: 'Termos', privacy: 'Privacidade', status: 'Situação' },
  askOperator: 'Perguntar a quem o mantém',
  seeMoney: 'Ver meu dinheiro',
  howToTell: 'Como conferir',
  seeStatus: 'Ver o que funciona agora',

  realLead: ({ operator }) =>
    `Este serviço é mantido por ${operator}. Com ele se envia dinheiro a alguém que se conhece por um nome, como o que tem no X ou um e-mail. Uma mensagem trouxe você aqui? É assim que se confere.`,
  real: ({ operator, origin, waits }) => [
    {
      heading: 'Olhe o endereço',
      paragraphs: [
        `No alto do seu navegador ele começa com ${origin}/ e antes disso não há nada. Uma letra a mais, ou outro final, e é de outra pessoa.`,
        'Não tem certeza sobre um link? Não toque nele: digite você mesmo o endereço.',
      ],
    },
    {
      heading: 'O que se pede a você',
      paragraphs: [
        'Para resgatar, você mostra que o nome é seu. Você entra onde o tem, na página daquele serviço e nunca na nossa, ou digita um código que enviamos por e-mail.',
        'Ninguém aqui pede uma senha, uma frase secreta, um cartão ou dinheiro antes. Quem faz isso não é dos nossos.',
        'Resgatar não custa nada.',
      ],
    },
    {
      heading: 'Com quem está o dinheiro agora',
      paragraphs: [
        `Até você resgatar, ${operator} o guarda para você, em dólares digitais (USDC). Ele espera ${waits}; depois volta para quem o enviou.`,
        'O que você deixa aqui é guardado da mesma forma. Não é uma conta bancária e não é coberto por nenhum seguro.',
      ],
    },
    {
      heading: 'Se algo parecer errado',
      paragraphs: [
        'Não faça nada: o que você não resgata volta sozinho.',
        'A página de cada pagamento tem um link para denunciá-lo. Quem enviou não fica sabendo.',
      ],
    },
  ],

  helpLead: 'O que mais se pergunta.',
  help: () => [
    {
      heading: 'Alguém me enviou dinheiro',
      paragraphs: ['Abra o link que você recebeu. Diga para onde o dinheiro deve ir e mostre que o nome é seu.'],
    },
    {
      heading: 'Guardei aqui. Onde está?',
      paragraphs: ['Acesse o seu dinheiro com o mesmo nome. Funciona em qualquer navegador.'],
    },
    {
      heading: 'Como ele chega ao meu banco?',
      paragraphs: [
        'Abra uma conta em uma corretora ou em um aplicativo que aceite USDC e saque o dinheiro para o endereço mostrado ali. Antes, leia o que a página diz sobre esse endereço: em um errado o dinheiro pode se perder. Depois você o vende e recebe reais, euros ou dólares no seu banco. Nunca pedimos os dados da sua conta bancária.',
      ],
    },
    {
      heading: 'Diz que não há nada esperando',
      paragraphs: [
        'Talvez já seja seu, talvez tenha voltado, ou foi enviado a outro nome. Peça a quem enviou o link do pagamento: a página dele diz o que aconteceu.',
      ],
    },
    {
      heading: 'Enviei para o nome errado',
      paragraphs: [
        `Enquanto ninguém o tiver resgatado, você pode cancelar o envio: na página do pagamento há um link para isso, em “${receiptPagePt.forSender}”.`,
      ],
    },
    {
      heading: 'Não quero dinheiro assim',
      paragraphs: [
        'Diga isso onde o resgataria: ele volta na hora e, se quiser, nunca mais se aceita nada para o seu nome.',
      ],
    },
    {
      heading: 'Um pagamento ou uma mensagem não está certo',
      paragraphs: ['Denuncie na página dele.'],
    },
  ],

  termsLead: ({ operator }) =>
    `Este serviço é mantido por ${operator}, sem termos próprios publicados. Isto é o que o serviço faz.`,
  terms: ({ waits, keptAtMost }) => [
    {
      heading: 'Para que serve',
      paragraphs: [
        'Ele recebe dinheiro de quem envia para uma pessoa com um nome, guarda até essa pessoa mostrar que o nome é dela e o repassa.',
      ],
    },
    {
      heading: 'Quanto custa',
      paragraphs: ['O preço, com cada taxa, aparece antes de qualquer pagamento. Resgatar não custa nada.'],
    },
    {
      heading: 'Quando volta',
      paragraphs: [
        `O que ninguém resgata espera ${waits} e depois volta para quem o enviou. Também o que é recusado, ou cujo envio é cancelado antes do resgate.`,
        'A taxa volta junto, menos o que custou receber o pagamento.',
      ],
    },
    {
      heading: 'O que é guardado aqui',
      paragraphs: [
        'É da pessoa que mostrou que o nome é dela. Não rende juros, não é uma conta bancária e não é coberto por nenhum seguro.',
        ...(keptAtMost === null ? [] : [`Para um nome podem ser guardados no máximo ${keptAtMost}.`]),
      ],
    },
    {
      heading: 'O que é recusado',
      paragraphs: ['Pagamentos que a lei proíbe, que o destinatário não quer ou que passam dos limites deste serviço.'],
    },
    {
      heading: 'O que ninguém pode prometer',
      paragraphs: [
        'O serviço trabalha com sistemas públicos que outros mantêm. Eles podem falhar, e ele também. A página de cada pagamento diz onde está o dinheiro.',
      ],
    },
  ],

  privacyLead: ({ operator }) => `Este serviço é mantido por ${operator}. Isto é o que ele sabe de você.`,
  privacy: ({ reportDays }) => [
    {
      heading: 'O que é guardado',
      paragraphs: [
        'De um pagamento: para quem é, quanto, a mensagem, de que conta veio e quando.',
        'De uma pessoa que resgata: o nome que ela mostrou ser dela e para onde o dinheiro foi.',
        'De um chat: quem enviou quanto a quem, para poder mostrar a essas pessoas.',
      ],
    },
    {
      heading: 'Quem pode ver',
      paragraphs: [
        'Quem tem o link de um pagamento vê o valor, a mensagem e o nome para quem é. Um e-mail aparece abreviado.',
        'As transferências em si são públicas e não podem ser apagadas. Nenhum nome aparece nelas.',
      ],
    },
    {
      heading: 'Cookies',
      paragraphs: [
        'Um lembra o navegador em que você resgata ou guarda dinheiro, e outro o seu idioma. Nenhum segue você, e nossas páginas não carregam nada de outros.',
      ],
    },
    {
      heading: 'Contra excessos e fraudes',
      paragraphs: [
        'O endereço da sua conexão é contado por um tempo, para que ninguém peça demais. Ele não é guardado com os pagamentos.',
        `Uma denúncia é apagada ${reportDays} dias depois de encerrada.`,
      ],
    },
    {
      heading: 'O que você pode fazer',
      paragraphs: [
        'Em um chat, /privacy mostra o que se sabe de você e o apaga. Onde resgataria dinheiro, você pode fazer com que seu nome seja recusado para sempre.',
        'Para o resto, pergunte a quem mantém o serviço.',
      ],
    },
  ],

  statusLead: {
    all: 'Tudo funciona.',
    some: 'Uma parte não funciona agora.',
    none: 'Nenhum pagamento é aceito agora.',
    unknown: 'Agora não é possível dizer o que funciona.',
  },
  place: {
    works: 'Pagamentos são aceitos e repassados.',
    waits: 'Pagamentos são aceitos. O repasse tem de esperar.',
    out: 'Nenhum pagamento novo agora.',
  },
  owedIsThere: (time) => `Tudo o que se deve às pessoas está lá. Comparado: ${time}.`,
  owedUnknown: 'Agora não é possível mostrar que tudo o que se deve às pessoas está lá.',
  looked: (time) => `Verificado: ${time}.`,
};
