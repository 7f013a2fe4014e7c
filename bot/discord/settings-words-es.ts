import type { SettingsWords } from './settings-words.ts';

export const settingsWordsEs: SettingsWords = {
  description: 'Decide cómo funcionan las propinas en este servidor',
  settings: {
    show: 'Mira qué está configurado y cómo cambiarlo',
    channels: 'Permite propinas en este canal, ya no aquí, o en todos los canales',
    min: 'La propina más pequeña: 0.5 · off',
    max: 'La propina más grande: 5 · off',
    cooldown: 'Cuánto espera alguien entre dos propinas: 30s · 5m · off',
    ban: 'Impide que alguien envíe más propinas aquí',
    unban: 'Permite que alguien vuelva a enviar propinas',
    receipts: 'Cómo muestro que una propina se pagó',
    notes: 'Si una propina puede llevar una nota',
    lifetime: 'Cuándo borro mis mensajes: 1h · off',
    log: 'Lleva un registro de todas las propinas en este canal',
    role: 'Quién puede confirmar recompensas además de ti; vacío para nadie',
    quorum: 'Para la persona dueña: cuántos confirman una recompensa de más de 10 USDC',
  },
  values: { choice: 'Elige uno', text: 'Un valor como los de arriba, u off', user: 'Quién', role: 'Qué rol' },
};
