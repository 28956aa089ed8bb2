// main with one parameter.
int main(int argc) {                               // warning: D-MAIN
  return argc;
}
