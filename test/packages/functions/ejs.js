import ejs from 'ejs';
export default () => {
  let refused;
  try {
    ejs.render('<% if (%>');
  } catch (error) {
    refused = error.name;
  }
  return [
    ejs.render('<% for (const n of names) { %><b><%= n %></b><% } %><%- raw %>', { names: ['a', '<'], raw: '<i>' }),
    refused,
  ];
};
