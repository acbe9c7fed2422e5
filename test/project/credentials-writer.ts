// One of several processes that write logins and profiles at the same moment; see credentials.test.ts.
import { changePreferences, saveLogin } from '../../src/project/index.ts';

const [, , name = '0', count = '1'] = process.argv;
for (let i = 0; i < Number(count); i++) {
  await saveLogin({ origin: 'https://app.example.com', slug: `w${name}-${i}`, token: `t${name}-${i}`, savedAt: '' });
}
await changePreferences((now) => ({
  ...now,
  profiles: { ...now.profiles, [`p${name}`]: { baseUrl: 'https://app.example.com', slug: `w${name}` } },
}));
