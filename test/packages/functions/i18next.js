import i18next from 'i18next';

const resources = {
  en: { translation: { hi: 'Hi {{name}}', item_one: '{{count}} item', item_other: '{{count}} items' } },
  de: { translation: { hi: 'Hallo {{name}}' } },
};
export default async () => {
  const i18n = i18next.createInstance();
  await i18n.init({ lng: 'de', fallbackLng: 'en', resources, showSupportNotice: false });
  return [
    i18n.t('hi', { name: 'Ann' }),
    i18n.t('item', { count: 2 }),
    i18n.t('item', { count: 1, lng: 'en' }),
    i18n.t('none'),
  ];
};
