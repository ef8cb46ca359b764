for (const link of document.querySelectorAll('[data-go-back]')) {
  link.addEventListener('click', (event) => {
    if (history.length > 1) {
      event.preventDefault();
      history.back();
    }
  });
}
