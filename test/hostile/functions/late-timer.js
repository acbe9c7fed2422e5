// Comes back after the end with a call of its own.
export default async (sdk) => {
  setTimeout(() => sdk.call('late').catch(() => {}), 5);
  setTimeout(() => console.log('late line'), 5);
  Promise.resolve().then(() => new Promise((done) => setTimeout(done, 5))).then(() => sdk.call('late'));
  return 'ended';
};
