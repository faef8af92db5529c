//! `doctor`: the command that it prints is run, and must give the plaintexts.

use crate::place::Place;
use crate::tables::{people, read, with_header, write};

#[test]
fn the_command_of_a_verdict_decrypts_the_column() {
    for (dialect, verdict) in [
        ("doris-sm4 --dialect-mode SM4_128_CBC --coding base64", "sure"),
        ("mysql-aes --dialect-mode aes-256-cbc --coding hex --iv-text sixteen-bytes-iv", "sure"),
        ("shardingsphere-digest --dialect-digest sha-256", "sure"),
        ("opengauss-sm4", "plausible"),
        ("opengauss-aes128", "authenticated"),
        ("spark-aes --coding hex", "authenticated"),
    ] {
        let place = Place::new();
        let rows = people(40);
        write(&place.path("in.csv"), &rows);
        place
            .run(&format!("encrypt in.csv -o stored.csv --column name --raw-key key.txt --key-text --weak --dialect {dialect}"))
            .code(0);
        let line = "doctor stored.csv --column name --raw-key key.txt --key-text --iv-text sixteen-bytes-iv --sample 20";
        let report = place.run(&format!("{line} --json")).code(0).json();
        let column = &report["columns"][0];
        assert_eq!(column["verdict"], verdict, "{dialect}: {report}");
        let best = &column["readings"][0];
        let name = dialect.split(' ').next().unwrap();
        let variants = best["variants"].as_array().unwrap();
        assert!(variants.iter().any(|it| it["dialect"] == name), "{dialect}: {best}");
        let command = best["command"].as_str().unwrap();
        assert!(place.run(line).code(0).stdout().contains(command));
        let command = command.strip_prefix("cipherlane columns ").unwrap();
        place.run(&command.replace("OUTPUT", "out.csv")).code(0);
        assert_eq!(read(&place.path("out.csv")), with_header(&rows), "{dialect}");
    }
}

#[test]
fn of_a_wrong_key_and_of_a_plain_column_it_says_that_nothing_opens() {
    let place = Place::new();
    write(&place.path("in.csv"), &people(40));
    place.write("wrong.txt", "some other key..");
    for column in ["name", "note", "id"] {
        let line = format!("doctor in.csv --column {column} --raw-key key.txt --key-text");
        let said = place.run(&line).code(1).stdout();
        assert!(said.starts_with(&format!("{column}: nothing opens")), "{said}");
    }
    place
        .run("encrypt in.csv -o stored.csv --column name --raw-key key.txt --key-text --weak --dialect doris-sm4 --coding hex")
        .code(0);
    let said = place
        .run("doctor stored.csv --column name --raw-key wrong.txt --key-text")
        .code(1)
        .stdout();
    assert!(said.starts_with("name: nothing opens (40 cells"), "{said}");
    // With both keys it finds the right one.
    let said = place
        .run("doctor stored.csv --column name --raw-key wrong.txt --raw-key key.txt --key-text")
        .code(0)
        .stdout();
    assert!(
        said.contains("sure: the paddings are right") && said.contains("--raw-key key.txt"),
        "{said}"
    );
}
