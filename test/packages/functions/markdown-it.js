import MarkdownIt from 'markdown-it';
export default () => [
  new MarkdownIt({ linkify: true, typographer: true }).render(
    '# "Hi" -- see www.example.com\n\n1. a\n2. b ~~c~~\n\n> q',
  ),
  new MarkdownIt().renderInline('*a* `b`'),
];
