orders => {
  const press = (buttons, fits) => {
    const found = [...buttons].find(each => each.checkVisibility() && fits(each.textContent));
    if (!found) throw new Error("no such button");
    found.click();
  };
  for (const [subject, ...steps] of orders) {
    const subjects = document.querySelectorAll("#subjects .subject");
    if (subjects.length > 1) press(subjects, text => text.startsWith(subject));
    for (const step of steps) {
      press(document.querySelectorAll("#choices button"), text => text === step);
    }
  }
}
