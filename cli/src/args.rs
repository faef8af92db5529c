//! What the arguments of several verbs share.

/// What every help ends with.
macro_rules! help {
    ($examples:literal) => {
        concat!(
            "Examples:\n",
            $examples,
            "\n\nExit status: 0 done; 1 a check failed (outputs or files differ, a file changed \
             meanwhile); 2 wrong usage or input; 3 something is missing here (engine, level, file, \
             permission). INT, TERM and HUP end it by that signal, after cleaning up: a shell says \
             130, 143 or 129"
        )
    };
}
pub(crate) use help;

/// The option of every verb that prints data.
#[derive(Debug, clap::Args)]
pub(crate) struct Json {
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// A language of the reports.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(crate) enum Language {
    /// English
    #[default]
    En,
    /// Chinese
    Zh,
}

impl From<Language> for lab::study::Lang {
    fn from(language: Language) -> Self {
        match language {
            Language::En => Self::En,
            Language::Zh => Self::Zh,
        }
    }
}
