import { describe, expect, test } from 'vitest';
import { languageAfter, languageOf } from './spoken.ts';

/** As people write tasks and notes. */
const SAID = {
  en: [
    'Add a login page',
    'Fix the crash when the cart is empty',
    'Write tests for the parser',
    'Make the build faster',
    'Export invoices as PDF',
    'Sort the list by date',
    'Rename getUser to fetchUser in src/api.ts',
    'yes, but keep the old API',
  ],
  de: [
    'Füge eine Anmeldeseite hinzu',
    'Behebe den Absturz bei leerem Warenkorb',
    'Schreibe Tests für den Parser',
    'Mach den Build schneller',
    'Sortiere die Liste nach Datum',
    'parseDate() soll null vertragen',
    'ja, aber die alte API behalten',
  ],
  fr: ['Ajouter une page de connexion', 'Corriger le plantage quand le panier est vide', 'Trier la liste par date'],
  es: ['Añade una página de inicio de sesión', 'Corrige el fallo cuando el carrito está vacío'],
  ko: ['로그인 페이지를 추가해줘', 'API 문서 업데이트', '캐시 추가'],
  ja: ['ログインページを追加する', 'READMEを更新してください', 'バグ修正'],
  zh: ['添加登录页面', '更新 README 文档', '请继续'],
  ru: ['Добавь страницу входа', 'Исправь падение при пустой корзине', 'Экспорт счетов в PDF'],
  uk: ['Додай сторінку входу для користувачів'],
  it: ['Aggiungi una pagina di accesso per gli utenti'],
} as const;
const said = Object.entries(SAID).flatMap(([language, texts]) => texts.map((text) => [language, text] as const));

describe('the language of a task', () => {
  test.each(said)('is %s: %s', async (language, text) => {
    expect(await languageOf(text)).toBe(language);
  });
  test.each(['', '42', 'ok', 'README', '--json', '`npm test`', 'src/api.ts', 'v2.1.0', '!!!', 'x'])(
    'is not guessed where nothing shows it: %j',
    async (text) => {
      expect(await languageOf(text)).toBeNull();
    },
  );
  test('of few words is the expected one unless another is clearly meant', async () => {
    expect(await languageOf('Add cache', 'en')).toBe('en');
    expect(await languageOf('Fehler im Login beheben', 'en')).toBe('de');
  });
  test('does not depend on names of things', async () => {
    expect(await languageOf('Rename `getUser` to `holeNutzer` in src/benutzer/verwaltung.ts')).toBe('en');
  });
});

describe('the language of a conversation', () => {
  test.each([
    ['de', 'Please keep the old API and add a flag for it', 'en'],
    ['en', 'Bitte die alte Schnittstelle behalten', 'de'],
    ['en', '请继续', 'zh'],
    ['de', 'ok', 'de'],
    ['ru', 'src/api.ts', 'ru'],
    ['de', 'API-Version 2', 'de'],
  ])('that is %s is after %j: %s', async (current, text, after) => {
    expect(await languageAfter(current, text)).toBe(after);
  });
});
