// Each holds tables of the library for languages, outside of the heap that is counted.
export default async () => { const kept = []; for (let i = 0; ; i++) kept.push(new Intl.DateTimeFormat(['de', 'ja', 'ar', 'th'][i % 4], { dateStyle: 'full', timeStyle: 'full' }), new Intl.Collator('zh'), new Intl.Segmenter('th').segment('x'.repeat(1000))); };
