pub(crate) fn run(_: &[String]) -> crate::Outcome {
    Ok(())
}
