/**
 * Answers with what the workspace answered, or with its refusal: the same code and status that a caller of the operation itself
 * would get. Anything else that goes wrong stays an error of the function.
 */
export async function answer(ask, status = 200) {
  try {
    const output = await ask();
    return status === 200 ? output : Response.json(output, { status });
  } catch (error) {
    if (error?.name !== 'SdkError') throw error;
    const { code, message, status: refused, details } = error;
    const { errors, ...further } = details ?? {};
    const problem = {
      type: 'about:blank',
      title: message,
      status: refused,
      detail: message,
      code,
      ...(errors && { errors }),
      ...(Object.keys(further).length > 0 && { details: further }),
    };
    return new Response(JSON.stringify(problem), {
      status: refused,
      headers: { 'content-type': 'application/problem+json' },
    });
  }
}
