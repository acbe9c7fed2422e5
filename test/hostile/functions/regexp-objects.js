export default async () => { const list = []; for (let i = 0; ; i++) { list.push(new RegExp(`a{${i % 1000}}b${i}`), new Intl.NumberFormat('de')); } };
