// A text that holds itself twice, fifty times over; and a body that is read while it changes.
export default async function () {
  let blob = new Blob(['x'.repeat(1024)]);
  try {
    for (let i = 0; i < 50; i++) blob = new Blob([blob, blob]);
  } catch {}
  try {
    await new Response(blob).text();
  } catch {}
  try {
    await blob.arrayBuffer();
  } catch {}
  const form = new FormData();
  for (let i = 0; i < 20_000; i++) form.append(`f${i}`, new File(['x'], 'n'.repeat(1_000)));
  return new Response(form).text().then((text) => text.length, () => 0);
}
