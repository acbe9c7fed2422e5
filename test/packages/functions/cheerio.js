import * as cheerio from 'cheerio';
export default () => {
  const $ = cheerio.load('<ul id=f><li class=a>1<li class="b c">2</ul><a href="/x?y=1&z">l</a>');
  $('li.b').addClass('d').text('zwei');
  return [
    $('#f').html(),
    $('li')
      .map((_, el) => $(el).text())
      .get(),
    $('a').attr('href'),
    $('li:last-child').attr('class'),
    $.xml('a'),
  ];
};
